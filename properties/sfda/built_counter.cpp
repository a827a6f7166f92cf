#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "oracle/sfda/phase_counter.hpp"
#include "properties/published.hpp"
#include "properties/sfda/computations.hpp"
#include "properties/sfda/phase_orbit.hpp"

namespace assay {
namespace {

using namespace sfda;

constexpr const char* experiment_source = "[SFDA] s7, table 3; [SFDA-notes] s4.2";

/// Wrong decodings of a mod-5 counter over `steps` random increments, every position decoded.
template <class T>
std::size_t decoding_errors(std::size_t steps) {
  constexpr std::size_t m = 5;
  Draw draw(1, "sfda.built_counter", 0);
  const std::vector<Cx<T>> phase = phases<T>(m);
  Cx<T> z(T(1));
  std::size_t count = 0, errors = 0;
  for (std::size_t t = 0; t < steps; ++t) {
    const std::size_t a = draw.below(m);
    z = phase[a] * z;
    count = (count + a) % m;
    errors += nearest_phase<T>(z, phase) != count;
  }
  return errors;
}

/// Proven for the steps tried: exact phases, rounded in T, never reach half the gap. The table's row is 1.000.
Finding built_counter(const Published& published) {
  const PublishedTable& table = published.table("sfda_built_counter");
  bool all = true;
  for (const auto& row : table.rows) all = all && may_be_equal(printed(row[table.column("SFDA")]), Rational(1));
  const std::size_t in_float = decoding_errors<float>(16384), in_double = decoding_errors<double>(16384);
  return {all && in_float == 0 && in_double == 0 ? ClaimVerdict::reproduced : ClaimVerdict::refuted,
          fmt::format("{} errors in float32 and {} in double over 16384 positions", in_float, in_double)};
}

/// The largest accuracy of decoding the count mod 5 from a sign that flips by symbol, after T uniform increments: a
/// real diagonal of period 1 or 2 holds no more. Exact probabilities of (count, sign), propagated in double.
double best_sign_accuracy(unsigned flips, std::size_t T) {
  std::array<std::array<double, 2>, 5> p{};
  p[0][0] = 1;
  for (std::size_t t = 0; t < T; ++t) {
    std::array<std::array<double, 2>, 5> next{};
    for (std::size_t count = 0; count < 5; ++count)
      for (std::size_t sign = 0; sign < 2; ++sign)
        for (std::size_t a = 0; a < 5; ++a) next[(count + a) % 5][sign ^ (flips >> a & 1)] += p[count][sign] / 5;
    p = next;
  }
  double accuracy = 0;
  for (std::size_t sign = 0; sign < 2; ++sign) {
    double best = 0;
    for (std::size_t count = 0; count < 5; ++count) best = std::max(best, p[count][sign]);
    accuracy += best;
  }
  return accuracy;
}

/// Reproduced if no assignment of signs beats chance and the printed accuracies lie within samples of it: the excess of
/// the first row needs some hundred sequences to be chance.
Finding real_control(const Published& published) {
  const PublishedTable& table = published.table("sfda_built_counter");
  double best = 0;
  for (unsigned flips = 0; flips < 32; ++flips) best = std::max(best, best_sign_accuracy(flips, 128));
  bool near_chance = best < 0.2 + 0x1p-30;
  std::string text = fmt::format("best of 32 sign assignments at length 128: {:.4f}; printed", best);
  for (const auto& row : table.rows) {
    const Interval accuracy = printed(row[table.column("best real diagonal")]);
    near_chance = near_chance && accuracy.upper() > Rational(1, 5) && accuracy.lower() < Rational(1, 4);
    text += " " + row[table.column("best real diagonal")];
  }
  return {near_chance ? ClaimVerdict::reproduced : ClaimVerdict::refuted, text};
}

Finding axis(const Published& published) {
  return compare_with_published(
      published, {{"chance", Rational(1, 5)}, {"shortest", Rational(1 << 7)}, {"longest", Rational(1 << 13)}});
}

}  // namespace

std::vector<Computation> sfda_built_counter_computations() {
  return {{"sfda.built_counter_decodes_every_position", "mod 5, 16384 random increments, float32 and double",
           experiment_source, built_counter},
          {"sfda.real_diagonal_counter_is_at_chance", "signs of period two against the count modulo 5",
           experiment_source, real_control},
          {"sfda.axis_of_the_built_counter", "chance 1/5, lengths 2^7 to 2^13", experiment_source, axis}};
}

}  // namespace assay
