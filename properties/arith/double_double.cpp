#include "arith/double_double.hpp"

#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "arith/rational.hpp"
#include "properties/arith/draws.hpp"
#include "properties/arith/laws.hpp"
#include "properties/arith/measured.hpp"

namespace assay {
namespace {

using namespace double_double_bound;

/// |got - want| against bound |want|.
Measured against(DoubleDouble got, const Rational& want, double bound, const char* operation, DoubleDouble a,
                 DoubleDouble b) {
  return measured(abs(exact(got) - want), Rational(bound) * abs(want),
                  fmt::format("({}) {} ({}) = {}", exact_text(a), operation, exact_text(b), exact_text(got)));
}

/// Exponents close enough for the low parts to matter.
DoubleDouble left(Draw& draw) { return hard_pair(draw, -2, 2); }
DoubleDouble right(Draw& draw) { return hard_pair(draw, draw.below(2) ? -60 : -2, 2); }
double right_double(Draw& draw) { return hard_double(draw, draw.below(2) ? -60 : -2, 2); }

Measured sum_error(Draw& draw) {
  const DoubleDouble a = left(draw), b = right(draw);
  return against(a + b, exact(a) + exact(b), sum, "+", a, b);
}
Measured cancelling_difference_error(Draw& draw) {
  const DoubleDouble a = left(draw), b = a * (1 + hard_double(draw, -100, -2));
  return against(a - b, exact(a) - exact(b), sum, "-", a, b);
}
Measured sum_with_double_error(Draw& draw) {
  const DoubleDouble a = left(draw), b = right_double(draw);
  return against(a + b.hi, exact(a) + exact(b), sum_with_double, "+", a, b);
}
Measured product_error(Draw& draw) {
  const DoubleDouble a = left(draw), b = right(draw);
  return against(a * b, exact(a) * exact(b), product, "*", a, b);
}
Measured product_with_double_error(Draw& draw) {
  const DoubleDouble a = left(draw), b = right_double(draw);
  return against(a * b.hi, exact(a) * exact(b), product_with_double, "*", a, b);
}
Measured quotient_error(Draw& draw) {
  const DoubleDouble a = left(draw), b = right(draw);
  return against(a / b, exact(a) / exact(b), quotient, "/", a, b);
}

/// |s - sqrt x| <= e sqrt x is |s^2 - x| <= (2e - e^2) x on the narrower side.
Measured square_root_error(Draw& draw) {
  const DoubleDouble x = abs(right(draw)), s = sqrt(x);
  const Rational bound(square_root);
  return measured(abs(exact(s) * exact(s) - exact(x)), (2 - bound) * bound * exact(x),
                  fmt::format("sqrt({}) = {}", exact_text(x), exact_text(s)));
}

Measured underflowing_product_error(Draw& draw) {
  const DoubleDouble a = hard_pair(draw, -560, -400), b = hard_pair(draw, -560, -400);
  const Rational want = exact(a) * exact(b);
  return measured(abs(exact(a * b) - want), Rational(product) * abs(want) + Rational(underflow),
                  fmt::format("({}) * ({})", exact_text(a), exact_text(b)));
}

Outcome integers_are_exact(Draw& draw) {
  const std::uint64_t word = draw.bits() >> draw.below(64);
  const auto negative = -static_cast<std::int64_t>(word >> 1);
  const bool exactly =
      exact(DoubleDouble(word)) == Rational(word) && exact(DoubleDouble(negative)) == Rational(negative);
  return exactly ? Outcome::holds() : Outcome::fails(fmt::format("{} or {} is not exact", word, negative));
}

Outcome order_is_that_of_the_values(Draw& draw) {
  const DoubleDouble a = left(draw);
  const DoubleDouble b = draw.below(2) ? two_sum(a.hi, hard_double(draw, -60, -50)) : left(draw);
  const bool agrees = (a < b) == (exact(a) < exact(b)) && (a == b) == (exact(a) == exact(b)) &&
                      exact(abs(a)) == abs(exact(a)) && exact(-a) == -exact(a);
  return agrees ? Outcome::holds() : Outcome::fails(fmt::format("{} against {}", exact_text(a), exact_text(b)));
}

constexpr std::string_view pairs = "double-double against Q";

}  // namespace

std::vector<Law> arith_double_double_laws() {
  std::vector<Law> laws = bound_laws(
      {
          {"arith.double_double_sum_is_within_its_bound", "|(a + b)~ - (a + b)| <= (3u^2 + 13u^3) |a + b|",
           "[JMP17] Alg. 6", pairs, sum_error, 0.3},
          {"arith.double_double_difference_is_within_its_bound",
           "the bound of a sum is relative to a - b, however much cancels", "[JMP17] Alg. 6", pairs,
           cancelling_difference_error, 0.1},
          {"arith.double_double_sum_with_a_double_is_within_its_bound", "|(a + y)~ - (a + y)| <= 2u^2 |a + y|",
           "[JMP17] Alg. 4", pairs, sum_with_double_error, 0.3},
          {"arith.double_double_product_is_within_its_bound", "|(a b)~ - a b| <= 4u^2 |a b|", "[MR22] Thm 2.8", pairs,
           product_error, 0.3},
          {"arith.double_double_product_with_a_double_is_within_its_bound", "|(a y)~ - a y| <= 2u^2 |a y|",
           "[JMP17] Alg. 9", pairs, product_with_double_error, 0.3},
          {"arith.double_double_quotient_is_within_its_bound", "|(a / b)~ - a / b| <= 9.8u^2 |a / b|",
           "[JMP17] Alg. 18", pairs, quotient_error, 0.3},
          {"arith.double_double_square_root_is_within_its_bound", "|sqrt~ x - sqrt x| <= 25/8 u^2 sqrt x",
           "[LLM23] Alg. 8", pairs, square_root_error, 0.3},
          {"arith.double_double_product_underflow_is_small", "|(a b)~ - a b| <= 4u^2 |a b| + 2^-1072", "", pairs,
           underflowing_product_error, 0.1},
      },
      "arith.double_double_bounds_are_approached");
  laws.push_back({.name = "arith.double_double_of_integers_is_exact",
                  .statement = "every 64-bit integer is a pair",
                  .trials = 1024,
                  .checks = {{pairs, 0, integers_are_exact}}});
  laws.push_back({.name = "arith.double_double_order_is_that_of_the_values",
                  .statement = "a < b as pairs exactly when a < b as numbers",
                  .trials = 1024,
                  .checks = {{pairs, 0, order_is_that_of_the_values}}});
  return laws;
}

}  // namespace assay
