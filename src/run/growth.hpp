#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace assay {

/// a in y ~ x^a.
struct Growth {
  double exponent = 0;
  std::optional<std::pair<double, double>> interval;  ///< 95 %, by Student's t; needs three points

  double half_width() const { return interval ? (interval->second - interval->first) / 2 : 0; }
};

/// Least squares of log y over log x. Nothing where an x or y is not positive and finite, or all x are one.
std::optional<Growth> growth_of(std::span<const double> x, std::span<const double> y);

/// Of y in x: "grows like T^0.50 ± 0.05", "shrinks like ...", "flat: T^0.01 ± 0.04": flat where the exponent's
/// interval, or without one the exponent, is within a twentieth of 0 or holds it; with an interval wider than ±1/4,
/// "unclear".
std::string growth_text(const Growth& growth, std::string_view x = "T");

}  // namespace assay
