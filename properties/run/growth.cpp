#include "run/growth.hpp"

#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "problem/values.hpp"
#include "properties/enumerated.hpp"
#include "properties/run/laws.hpp"
#include "properties/same.hpp"

namespace assay {
namespace {

const std::vector<double> lengths = {64, 128, 256, 512, 1024, 2048, 4096};

std::vector<double> power(double a) {
  std::vector<double> y;
  for (const double x : lengths) y.push_back(3e-7 * std::pow(x, a));
  return y;
}

Outcome exact_powers() {
  FirstFailure found;
  for (const double a : {-1.0, -0.5, 0.0, 0.5, 1.0, 2.0}) {
    const Growth growth = growth_of(lengths, power(a)).value();
    found.note(holds_if(std::abs(growth.exponent - a) < 0x1p-40 && growth.half_width() < 0x1p-20,
                        fmt::format("T^{}: {} ± {}", a, growth.exponent, growth.half_width())));
  }
  return found.outcome();
}

/// The share of noisy curves whose 95 % interval holds the true exponent, within five standard deviations.
Outcome coverage(Draw& draw) {
  constexpr int curves = 4000;
  int covered = 0;
  for (int i = 0; i < curves; ++i) {
    std::vector<double> y = power(0.5);
    for (double& value : y) value *= std::exp(0.1 * bell_dyadic(draw, 20));
    const auto [low, high] = growth_of(lengths, y)->interval.value();
    covered += low <= 0.5 && 0.5 <= high;
  }
  const double deviation = std::sqrt(0.95 * 0.05 * curves);
  return holds_if(std::abs(covered - 0.95 * curves) <= 5 * deviation,
                  fmt::format("{} of {} intervals hold the exponent", covered, curves));
}

Outcome few_points() {
  const std::vector<double> one = {64}, two = {64, 128}, same_x = {64, 64, 64};
  return all_of({holds_if(!growth_of(one, one), "one point has an exponent"),
                 holds_if(growth_of(two, two) && !growth_of(two, two)->interval, "two points have an interval"),
                 holds_if(!growth_of(same_x, same_x), "points at one length have an exponent"),
                 holds_if(!growth_of(two, std::vector<double>{0, 1}), "an error of 0 has a logarithm"),
                 holds_if(!growth_of(two, std::vector<double>{1, INFINITY}), "an infinite error has an exponent")});
}

Outcome texts() {
  const auto text = [](double a, double half) { return growth_text({a, std::pair(a - half, a + half)}); };
  return all_of({same<std::string>("half", text(0.5, 0.05), "grows like T^0.50 ± 0.05"),
                 same<std::string>("minus half", text(-0.5, 0.05), "shrinks like T^-0.50 ± 0.05"),
                 same<std::string>("zero", text(0.02, 0.04), "flat: T^0.02 ± 0.04"),
                 same<std::string>("small", text(0.04, 0.01), "flat: T^0.04 ± 0.01"),
                 same<std::string>("wide", text(0.2, 0.5), "unclear: T^0.20 ± 0.50"),
                 same<std::string>("wide but rising", text(1, 0.5), "grows like T^1.00 ± 0.50"),
                 same<std::string>("two points", growth_text({1, std::nullopt}), "grows like T^1.00")});
}

}  // namespace

std::vector<Law> run_growth_laws() {
  return {
      enumerated("run.a_power_of_length_has_its_exponent", "and an interval of no width", "", "double", exact_powers),
      {"run.the_interval_holds_the_exponent_in_95_of_100_curves",
       "bell-shaped noise of 10 % about T^0.5",
       "",
       Proof::tested,
       0,
       1,
       {{"double", 0, coverage}}},
      enumerated("run.few_points_have_no_exponent_or_no_interval", "nor has an error of 0", "", "double", few_points),
      enumerated("run.a_finding_says_whether_errors_grow", "flat, unclear, grows, shrinks", "", "listed exponents",
                 texts)};
}

}  // namespace assay
