#include "oracle/sanatan/gate_statistics.hpp"

#include <array>
#include <numbers>
#include <vector>

#include <fmt/format.h>

#include "oracle/sanatan/labels.hpp"
#include "oracle/sanatan/scores.hpp"
#include "properties/enumerated.hpp"
#include "properties/same.hpp"
#include "properties/sanatan/laws.hpp"

namespace assay {
namespace {

using namespace sanatan;

constexpr const char* statistics_source = "[SANATAN-notes] s4.3";
constexpr double pi = std::numbers::pi;
constexpr std::array gammas{1.0, 5.0, 10.0, 20.0, 50.0};
constexpr std::array anchors{0.0, pi / 4, 1.0};

/// Labels of n angles evenly spaced on the circle, half a step from 0.
std::vector<double> spaced_labels(int n, double omega, double gamma) {
  std::vector<double> labels;
  for (int i = 0; i < n; ++i) labels.push_back(label(2 * pi * (i + 0.5) / n, omega, gamma));
  return labels;
}

template <class Holds>
Outcome for_every_model(Holds holds) {
  for (const double gamma : gammas)
    for (const double omega : anchors)
      if (const Outcome outcome = holds(gamma, omega); outcome.kind != Outcome::Kind::holds)
        return Outcome::fails(fmt::format("gamma = {}, omega = {}: {}", gamma, omega, outcome.text));
  return Outcome::holds();
}

/// Decided angles are two arcs, and an arc of length l holds n l / 2π evenly spaced points to within one.
Outcome decided_labels_counted() {
  static constexpr int n = 1 << 16;
  return for_every_model([](double gamma, double omega) {
    for (const double t : {0.5, 0.9, 0.99}) {
      int count = 0;
      for (const double r : spaced_labels(n, omega, gamma)) count += std::abs(r) > t;
      const double expected = n * decided_share(gamma, t, pi);
      if (!(std::abs(count - expected) <= 2))
        return Outcome::fails(fmt::format("{} of {} labels exceed {}, closed form {:.2f}", count, n, t, expected));
    }
    return Outcome::holds();
  });
}

/// |r| rises and falls twice a turn, a variation of at most 4, so the mean over n midpoints is off by at most 4 / 2n.
Outcome magnitude_averaged() {
  static constexpr int n = 1 << 14;
  return for_every_model([](double gamma, double omega) {
    double mean = 0;
    for (const double r : spaced_labels(n, omega, gamma)) mean += std::abs(r) / n;
    const Bracket<double> coarse = mean_label_magnitude(gamma, pi, 64), fine = mean_label_magnitude(gamma, pi, 128);
    const bool nested = coarse.low <= fine.low && fine.low <= fine.high && fine.high <= coarse.high;
    const bool narrow = coarse.high - coarse.low <= gamma * std::numbers::sqrt2 * pi / (4 * 64 * 64);
    return all_of(
        {holds_if(nested, fmt::format("[{}, {}] is not inside [{}, {}]", fine.low, fine.high, coarse.low, coarse.high)),
         holds_if(narrow, fmt::format("[{}, {}] is too wide", coarse.low, coarse.high)),
         holds_if(mean >= fine.low - 2.0 / n && mean <= fine.high + 2.0 / n,
                  fmt::format("mean {} outside [{}, {}]", mean, fine.low, fine.high))});
  });
}

/// Evenly spaced angles come in pairs half a turn apart, with opposite labels; so over them the mean mismatched gate is
/// 1 − (mean |r|)² up to rounding: n² products and sums of values below 2.
Outcome gate_averaged() {
  static constexpr int n = 512;
  return for_every_model([](double gamma, double omega) {
    const std::vector<double> labels = spaced_labels(n, omega, gamma);
    double magnitude = 0;
    for (const double r : labels) magnitude += std::abs(r) / n;
    const Bracket<double> formula = mean_mismatched_gate(Bracket<double>{magnitude, magnitude});
    const double direct = mean_mismatched_gate<double>(labels, labels).value();
    const double rounding = n * n * 2 * 0x1p-52;
    return holds_if(std::abs(direct - formula.low) <= rounding,
                    fmt::format("mean over pairs {}, 1 - (E|r|)^2 = {}", direct, formula.low));
  });
}

/// Attention on keys of opposite label, one matching key against n mismatched ones.
Rational mismatched_mass(int power, int n, const Rational& gate, const Rational& cos_match, const Rational& cos_other) {
  const Rational match = dimension_score<Rational>(Channels::six, Rational(1), cos_match);
  const Rational other = dimension_score<Rational>(Channels::six, gate - 1, cos_other);
  const Rational others = n * integer_power(other, power);
  return others / (others + integer_power(match, power));
}

Outcome mass_from_none_to_all() {
  const Rational gate(57, 1000);
  for (const int power : {1, 2, 4}) {
    const Outcome outcome = all_of(
        {same("mass, matching key in phase, other opposite", mismatched_mass(power, 1, gate, 1, -1), Rational(0)),
         same("mass, matching key opposite, other in phase", mismatched_mass(power, 1, gate, -1, 1), Rational(1))});
    if (outcome.kind != Outcome::Kind::holds) return outcome;
  }
  const Rational many = mismatched_mass(1, 400, gate, 1, 1);
  if (!(many > Rational(9, 10))) return Outcome::fails("400 mismatched keys have " + text_of(many));
  return Outcome::holds(fmt::format("gate 0.057 of 2: mass 0, 1, or {:.3f} with 400 mismatched keys in phase",
                                    many.convert_to<double>()));
}

/// Two models with the same query labels and different keys: one measurement, two gates.
Outcome measurement_ignores_keys() {
  const std::vector<Rational> q{Rational(1, 2), Rational(-1, 2)}, weak = q, strong{1, -1};
  const auto gate = [](const std::vector<Rational>& a, const std::vector<Rational>& b) {
    return mean_mismatched_gate<Rational>(a, b).value();
  };
  if (gate(q, weak) == gate(q, strong)) return Outcome::fails("both models have the gate " + text_of(gate(q, weak)));
  return Outcome::holds(fmt::format("query labels +-1/2 measure {}; keys +-1/2 give {}, keys +-1 give {}",
                                    text_of(gate(q, q)), text_of(gate(q, weak)), text_of(gate(q, strong))));
}

Law tested_once(std::string_view name, std::string_view statement, Outcome (*run)()) {
  Law law = enumerated(name, statement, statistics_source, "double", run);
  law.proof = Proof::tested;
  return law;
}

}  // namespace

std::vector<Law> sanatan_gate_statistics_laws() {
  return {
      tested_once("sanatan.decided_share_counts_labels_of_even_angles",
                  "P(|r| > t) = 1 - (2/pi) asin(atanh(t)/(g sqrt 2))", decided_labels_counted),
      tested_once("sanatan.mean_label_magnitude_lies_in_its_bracket",
                  "E|r| between trapezoids and midpoints of tanh(g sqrt 2 sin x)", magnitude_averaged),
      tested_once("sanatan.mean_mismatched_gate_is_one_minus_a_square",
                  "mean of 1 + r r' over r r' < 0 is 1 - (E|r|)^2", gate_averaged),
      enumerated("sanatan.gate_ratio_does_not_bound_attention_mass",
                 "at a gate of 2.85 % the mass on mismatched keys may be 0 and may be 1", statistics_source, "Q",
                 mass_from_none_to_all),
      enumerated("sanatan.query_labels_do_not_determine_the_gate",
                 "equal query labels, different keys: equal measurement, different gates", statistics_source, "Q",
                 measurement_ignores_keys),
  };
}

}  // namespace assay
