#pragma once

#include <cmath>

#include "arith/rounding.hpp"

namespace assay {

/// Standard deviation of the error of rounding a number near x to nearest: even within half a unit in the last place.
/// 0, unknown, where that cannot be taken for granted: within a 64th of a unit of a value of the format, and below its
/// normal numbers.
inline double rounding_deviation(const FloatFormat& format, double x) {
  const double size = std::abs(x), unit = ulp(format, size);
  const bool normal = size >= std::ldexp(1.0, format.emin);
  if (!normal || 64 * std::abs(size - round_to(format, size)) < unit) return 0;
  return unit / std::sqrt(12.0);
}

}  // namespace assay
