#include "properties/sfda/phase_drift.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <boost/math/constants/constants.hpp>
#include <fmt/format.h>

#include "arith/multiprecision.hpp"
#include "properties/published.hpp"
#include "properties/sfda/computations.hpp"
#include "properties/sfda/phase_orbit.hpp"

namespace assay {
namespace {

using namespace sfda;

constexpr const char* checks_source = "[SFDA] tables 5 and 8, App. H.1; [SFDA-notes] s4.1";

double printed_middle(const Published& published, std::string_view name) {
  return median(printed(published.value(name))).convert_to<double>();
}

/// Reproduced if the printed error lies between the smallest and the largest of ours, each widened by a factor of 4:
/// which m and which increments were used is not printed.
Finding same_order(const std::vector<std::pair<std::string, double>>& ours, double printed_error) {
  double least = ours.front().second, most = least;
  std::string text;
  for (const auto& [name, error] : ours) {
    least = std::min(least, error);
    most = std::max(most, error);
    text += fmt::format("{}{}: {:.1e}", text.empty() ? "" : ", ", name, error);
  }
  const bool inside = least / 4 <= printed_error && printed_error <= most * 4;
  return {inside ? ClaimVerdict::reproduced : ClaimVerdict::refuted,
          fmt::format("{}; printed {:.1e}", text, printed_error)};
}

constexpr std::size_t counters[] = {2, 3, 5, 7};

PhaseDrift measured_drift(const std::string& error, bool wide, std::size_t steps) {
  PhaseDrift drift{.error = error, .format = wide ? "f64" : "f32", .steps = steps};
  for (const std::size_t m : counters) {
    const OrbitError orbit = wide ? orbit_error<double>(m, steps) : orbit_error<float>(m, steps);
    drift.moduli.push_back(m);
    drift.measured.push_back(error == "phase" ? orbit.phase : orbit.norm);
  }
  return drift;
}

PhaseDrift beside(PhaseDrift drift, const PublishedTable& checks, std::string_view row, const std::string& table) {
  drift.published = checks.cell(row, table);
  drift.place = table;
  return drift;
}

Finding double_cycle(const Published& published) {
  std::vector<std::pair<std::string, double>> ours;
  for (const std::size_t m : counters) ours.emplace_back(fmt::format("m = {}", m), orbit_error<double>(m, 5000).phase);
  return same_order(ours, printed_middle(published, "error"));
}

Finding float_cycle(const Published& published) {
  std::vector<std::pair<std::string, double>> ours;
  for (const std::size_t m : counters) ours.emplace_back(fmt::format("m = {}", m), orbit_error<float>(m, 5000).phase);
  return same_order(ours, printed_middle(published, "error"));
}

Finding long_cycle(const Published& published) {
  std::vector<std::pair<std::string, double>> norms, phases_off;
  for (const std::size_t m : {3, 5, 7}) {
    const OrbitError error = orbit_error<double>(m, 16384);
    norms.emplace_back(fmt::format("norm, m = {}", m), error.norm);
    phases_off.emplace_back(fmt::format("phase, m = {}", m), error.phase);
  }
  const Finding norm = same_order(norms, printed_middle(published, "norm_drift"));
  const Finding phase = same_order(phases_off, printed_middle(published, "phase_error"));
  return {norm.verdict == ClaimVerdict::reproduced ? phase.verdict : norm.verdict,
          norm.evidence + "; " + phase.evidence};
}

/// A coherent error ε a step is decoded wrongly from T ε = π/m on: ε = π/(m T).
Finding tolerated_step_error(const Published& published) {
  using boost::math::constants::pi;
  const auto at = [](int m, int T) {
    const Mpfr50 error = pi<Mpfr50>() / (m * T);
    return Interval(Rational(Mpfr50(error * (1 - Mpfr50(1) / (1 << 30))).convert_to<double>()),
                    Rational(Mpfr50(error * (1 + Mpfr50(1) / (1 << 30))).convert_to<double>()));
  };
  return compare_with_published(published, {{"at_192", at(5, 192)}, {"at_768", at(5, 768)}, {"at_8192", at(5, 8192)}});
}

}  // namespace

std::vector<PhaseDrift> phase_drifts(const PublishedTable& checks) {
  return {beside(measured_drift("phase", true, 5000), checks, "phase cycle, T = 5000", "table 5"),
          beside(measured_drift("phase", false, 5000), checks, "single-precision phase cycle", "table 5"),
          beside(measured_drift("norm", true, 16384), checks, "norm drift, T = 16384", "table 8"),
          measured_drift("norm", false, 16384),
          beside(measured_drift("phase", true, 16384), checks, "phase error, T = 16384", "table 8"),
          measured_drift("phase", false, 16384)};
}

std::vector<Computation> sfda_phase_drift_computations() {
  return {
      {"sfda.phase_cycle_error_in_double", "largest phase error of 5000 random steps, m = 2, 3, 5, 7", checks_source,
       double_cycle},
      {"sfda.phase_cycle_error_in_float32", "largest phase error of 5000 random steps, m = 2, 3, 5, 7", checks_source,
       float_cycle},
      {"sfda.norm_drift_and_phase_error_of_16384_steps", "in double, m = 3, 5, 7", checks_source, long_cycle},
      {"sfda.step_error_that_a_counter_tolerates", "pi/(m T) for m = 5", "[SFDA-notes] s4.3", tolerated_step_error}};
}

}  // namespace assay
