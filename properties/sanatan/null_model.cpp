#include <boost/math/constants/constants.hpp>
#include <fmt/format.h>

#include "arith/multiprecision.hpp"
#include "oracle/sanatan/gate_statistics.hpp"
#include "properties/sanatan/computations.hpp"
#include "properties/sanatan/setup.hpp"

namespace assay {
namespace {

using namespace sanatan;

constexpr const char* statistics_source = "[SANATAN-notes] s4.3";

Mpfr50 pi() { return boost::math::constants::pi<Mpfr50>(); }

/// A bracket as rationals. Every operation of Mpfr50 is correctly rounded, and the formulas here take some ten of them
/// or sums of 2^13 terms: a margin of 2^-40 is far above their error and that of the conversion.
Interval enclosed(const Bracket<Mpfr50>& bracket) {
  const auto rational = [](const Mpfr50& x) { return Rational(x.convert_to<double>()); };
  const Rational margin(1, std::int64_t{1} << 40);
  const auto widened = [&](const Rational& x, int side) {
    return Rational(x + side * margin * (x < 1 ? Rational(1) : x));
  };
  return {widened(rational(bracket.low), -1), widened(rational(bracket.high), 1)};
}

Interval enclosed(const Mpfr50& x) { return enclosed(Bracket<Mpfr50>{x, x}); }

Mpfr50 ratio(int numerator, int denominator) { return Mpfr50(numerator) / Mpfr50(denominator); }

Interval reported(const Published& published, std::string_view statistic) {
  return printed_cell(published, "sanatan_gate_statistics", statistic, "value");
}

Finding gate_share(const Published& published) {
  return compare_with_published(published, {{"share", reported(published, "mean mismatched gate") / Rational(2)}});
}

/// P(|r| > 0.99), mean mismatched gate and mismatched share of uniform angles; r(θ + π) = −r(θ) makes the last 1/2.
std::vector<Quantity> uniform_angles(int gamma) {
  const Bracket<Mpfr50> magnitude = mean_label_magnitude<Mpfr50>(gamma, pi(), 1 << 12);
  return {{"saturated", enclosed(decided_share<Mpfr50>(gamma, ratio(99, 100), pi()))},
          {"mismatched_gate", enclosed(mean_mismatched_gate(magnitude))},
          {"mismatched", Rational(1, 2)}};
}

Finding null_model(const Published& published) {
  Finding finding = compare_with_published(published, uniform_angles(10));
  const PublishedTable& table = published.table("sanatan_gate_statistics");
  for (const auto& row : table.rows) finding.evidence += fmt::format("; reported {}: {}", row[0], row[1]);
  for (const int gamma : {1, 5, 20, 50}) {
    const auto quantities = uniform_angles(gamma);
    finding.evidence +=
        fmt::format("; gamma = {}: {:.1f}% and {:.4f}", gamma, 100 * median(quantities[0].value).convert_to<double>(),
                    median(quantities[1].value).convert_to<double>());
  }
  return finding;
}

Bracket<Mpfr50> inputs_of_decided_labels() { return decided_inputs<Mpfr50>(10, ratio(99, 100), pi()); }

Finding normal_inputs(const Published& published) {
  const auto share = [](const Mpfr50& sigma) {
    return enclosed(decided_share_of_normal_inputs(inputs_of_decided_labels(), sigma));
  };
  return compare_with_published(published, {{"narrow", share(ratio(1, 20))}, {"wide", share(3)}});
}

/// With both labels decided a mismatched gate is below 1 − 0.99²; what such pairs cannot give, others must.
Finding undecided_dominate(const Published& published) {
  const Interval gate = reported(published, "mean mismatched gate");
  const Interval undecided = Rational(1) - reported(published, "share of |r| > 0.99");
  const Rational decided_gate = 1 - Rational(99, 100) * Rational(99, 100);
  const Interval share = (gate - decided_gate) / gate;
  const Rational most = decided_gate + 2 * undecided.upper();
  return settled_by(
      share.lower() > Rational(1, 2) && gate.upper() < most,
      fmt::format("decided pairs give less than {}; at least {} of the mean is of others; up to {} is possible",
                  decimal(decided_gate), decimal(share.lower()), decimal(most)));
}

Finding decided_magnitudes(const Published& published) {
  const Bracket<Mpfr50> inputs = inputs_of_decided_labels();
  return compare_with_published(published, {{"lower", enclosed(inputs.low)}, {"upper", enclosed(inputs.high)}});
}

/// |r| ≤ tanh(γ √2), and 1 − tanh x = 2 / (e^{2x} + 1) > 0.
Finding largest_label(const Published& published) {
  const Mpfr50 missing = 2 / (exp(2 * Mpfr50(10) * sqrt(Mpfr50(2))) + 1);
  const Rational trillionths = Rational((missing * 1'000'000'000'000).convert_to<double>());
  return compare_with_published(published,
                                {{"missing_trillionths", Interval(trillionths * Rational(999'999, 1'000'000),
                                                                  trillionths * Rational(1'000'001, 1'000'000))}});
}

/// A correctly rounded float32 tanh is 1 from 1 − 2^−25 on, halfway to the next number below 1.
Finding float32_labels(const Published& published) {
  const Mpfr50 threshold = 1 - Mpfr50(1) / (1 << 25);
  return compare_with_published(published, {{"from", enclosed(atanh(threshold))},
                                            {"share", enclosed(decided_share<Mpfr50>(10, threshold, pi()))}});
}

}  // namespace

std::vector<Computation> sanatan_null_model_computations() {
  return {
      {"sanatan.mismatched_gate_share", "mean mismatched gate over 2", statistics_source, gate_share},
      {"sanatan.null_model_of_the_gate", "gate statistics of uniform angles", statistics_source, null_model},
      {"sanatan.normal_inputs_saturate_labels", "decided labels of normal inputs", statistics_source, normal_inputs},
      {"sanatan.undecided_labels_dominate_the_mismatched_gate", "share of undecided labels in the mean gate",
       statistics_source, undecided_dominate},
      {"sanatan.decided_labels_lie_between_two_magnitudes", "inputs with |r| > 0.99 at omega = pi/4",
       "[SANATAN-notes] s2.2", decided_magnitudes},
      {"sanatan.largest_label", "1 - tanh(10 sqrt 2)", "[SANATAN-notes] s2.2", largest_label},
      {"sanatan.float32_labels_reach_one", "where tanh rounds to 1 in float32", "[SANATAN-notes] s2.2", float32_labels},
  };
}

}  // namespace assay
