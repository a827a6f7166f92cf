#include "run/growth.hpp"

#include <cmath>
#include <stdexcept>

#include <boost/math/distributions/students_t.hpp>
#include <fmt/format.h>

namespace assay {
namespace {

/// Sums about the means of log x and log y.
struct Moments {
  double n = 0, xx = 0, xy = 0, yy = 0;
};

bool positive(double value) { return value > 0 && std::isfinite(value); }

double mean_log(std::span<const double> values) {
  double sum = 0;
  for (const double v : values) sum += std::log(v);
  return sum / static_cast<double>(values.size());
}

Moments moments_of(std::span<const double> x, std::span<const double> y) {
  const double mean_x = mean_log(x), mean_y = mean_log(y);
  Moments m{.n = static_cast<double>(x.size())};
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double dx = std::log(x[i]) - mean_x, dy = std::log(y[i]) - mean_y;
    m.xx += dx * dx;
    m.xy += dx * dy;
    m.yy += dy * dy;
  }
  return m;
}

}  // namespace

std::optional<Growth> growth_of(std::span<const double> x, std::span<const double> y) {
  if (x.size() != y.size()) throw std::invalid_argument(fmt::format("{} x for {} y", x.size(), y.size()));
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!positive(x[i]) || !positive(y[i])) return std::nullopt;
  if (x.size() < 2) return std::nullopt;
  const Moments m = moments_of(x, y);
  if (m.xx == 0) return std::nullopt;
  Growth growth{.exponent = m.xy / m.xx};
  if (x.size() < 3) return growth;
  const double freedom = m.n - 2;
  const double residual = std::max(0.0, m.yy - growth.exponent * m.xy);
  const double t = boost::math::quantile(boost::math::students_t(freedom), 0.975);
  const double half = t * std::sqrt(residual / freedom / m.xx);
  growth.interval = {growth.exponent - half, growth.exponent + half};
  return growth;
}

std::string growth_text(const Growth& growth, std::string_view x) {
  std::string power = fmt::format("{}^{:.2f}", x, growth.exponent);
  if (growth.interval) power += fmt::format(" ± {:.2f}", growth.half_width());
  constexpr double small = 0.05, wide = 0.25;
  const auto [low, high] = growth.interval.value_or(std::pair(growth.exponent, growth.exponent));
  const bool holds_zero = low <= 0 && high >= 0;
  if (growth.half_width() > wide && holds_zero) return "unclear: " + power;
  if (holds_zero || std::abs(growth.exponent) < small) return "flat: " + power;
  return (growth.exponent > 0 ? "grows like " : "shrinks like ") + power;
}

}  // namespace assay
