#include "run/sign_test.hpp"

#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "arith/rational.hpp"
#include "properties/enumerated.hpp"
#include "properties/run/laws.hpp"
#include "properties/same.hpp"

namespace assay {
namespace {

/// Σ_{i ≥ k} C(n, i) / 2^n.
Rational tail(std::size_t k, std::size_t n) {
  Rational sum(0), binomial(1);
  for (std::size_t i = 0; i <= n; ++i) {
    if (i >= k) sum += binomial;
    binomial = binomial * Rational(static_cast<long>(n - i)) / Rational(static_cast<long>(i + 1));
  }
  for (std::size_t i = 0; i < n; ++i) sum /= 2;
  return sum;
}

bool near(double got, const Rational& want) {
  const double exact = want.convert_to<double>();
  return std::abs(got - exact) <= 0x1p-40 * exact;
}

/// `larger` of n pairs grow by 1, the rest fall by 2, and `equal` stay.
PairedComparison compared(std::size_t larger, std::size_t n, std::size_t equal) {
  std::vector<double> before(n + equal, 5), now = before;
  for (std::size_t i = 0; i < n; ++i) now[i] = i < larger ? 6 : 3;
  return compare_pairs(before, now);
}

Outcome tails() {
  FirstFailure found;
  for (const std::size_t n : {0u, 1u, 10u, 37u, 64u})
    for (std::size_t larger = 0; larger <= n; ++larger) {
      const PairedComparison c = compared(larger, n, 3);
      found.note(holds_if(near(c.p_larger, tail(larger, n)) && near(c.p_smaller, tail(n - larger, n)),
                          fmt::format("{} of {}: p = {} and {}", larger, n, c.p_larger, c.p_smaller)));
      found.note(same("pairs", c.pairs, n));
      found.note(same("larger", c.larger, larger));
    }
  return found.outcome();
}

Outcome medians() {
  return all_of({same("majority up", compared(6, 10, 100).median_difference, 1.0),
                 same("majority down", compared(4, 10, 100).median_difference, -2.0),
                 same("even", compared(5, 10, 0).median_difference, -0.5),
                 same("nothing differs", compared(0, 0, 9).median_difference, 0.0)});
}

}  // namespace

std::vector<Law> run_sign_test_laws() {
  return {enumerated("run.the_sign_test_sums_binomial_tails",
                     "P(X >= k) for X binomial (n, 1/2); equal pairs are left out", "", "rationals", tails),
          enumerated("run.the_median_is_of_pairs_that_differ", "of an even number the mean of the middle two", "",
                     "listed pairs", medians)};
}

}  // namespace assay
