#pragma once

#include <cmath>
#include <cstdint>
#include <stdexcept>

#include "arith/double_double.hpp"
#include "arith/rational.hpp"
#include "problem/draw.hpp"

namespace assay {

/// A positive double in [1, 2) that rounding errors like: near 1, near 2, few bits, or any.
inline double hard_significand(Draw& draw) {
  const double few_units = static_cast<double>(draw.below(64)) * 0x1p-52;
  switch (draw.below(4)) {
    case 0:
      return 1 + few_units;
    case 1:
      return 2 - 0x1p-52 - few_units;
    case 2:
      return 1 + static_cast<double>(draw.below(64)) * 0x1p-6;
    default:
      return 1 + static_cast<double>(draw.bits() >> 12) * 0x1p-52;
  }
}

/// A double of either sign and an exponent in [low, high].
inline double hard_double(Draw& draw, int low, int high) {
  const int exponent = low + static_cast<int>(draw.below(static_cast<std::uint64_t>(high - low) + 1));
  const double x = std::ldexp(hard_significand(draw), exponent);
  return draw.below(2) ? x : -x;
}

/// A pair whose low part is often close to half a unit of the high part, with an exponent in [low, high].
inline DoubleDouble hard_pair(Draw& draw, int low, int high) {
  const double hi = hard_double(draw, low, high);
  const double half_unit = std::ldexp(0x1p-53, std::ilogb(hi));
  const int shift = draw.below(2) ? 0 : -static_cast<int>(draw.below(60));
  const double lo = half_unit * std::ldexp(hard_significand(draw) / 2, shift);
  return two_sum(hi, draw.below(2) ? lo : -lo);
}

/// Throws std::domain_error for what is no number: GMP would end the program.
inline Rational exact(DoubleDouble x) {
  if (!std::isfinite(x.hi) || !std::isfinite(x.lo)) throw std::domain_error(exact_text(x) + " is no number");
  return Rational(x.hi) + Rational(x.lo);
}

}  // namespace assay
