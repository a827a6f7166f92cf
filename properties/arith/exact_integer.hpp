#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include <boost/multiprecision/gmp.hpp>

#include "arith/rounding.hpp"

namespace assay {

/// Doubles, their sums and differences, exactly: integers in units of 2^-1074.
using ExactInteger = boost::multiprecision::number<boost::multiprecision::gmp_int, boost::multiprecision::et_off>;

inline ExactInteger exact(double finite) {
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(finite);
  const unsigned field = bits >> 52 & 0x7ff;
  const std::uint64_t fraction = bits & 0xfffffffffffff;
  const ExactInteger magnitude = ExactInteger(field == 0 ? fraction : fraction | 1ull << 52)
                                 << (field == 0 ? 0 : field - 1);
  return bits >> 63 ? -magnitude : magnitude;
}

/// The magnitude with code `code`, by the definition of a format: an integer of units of the least subnormal, doubled
/// with each step of the exponent field. Infinity stands at 2^(emax + 1).
inline ExactInteger exact_magnitude(const FloatFormat& format, std::uint32_t code) {
  const std::uint32_t hidden = 1u << format.fraction_bits();
  const std::uint32_t field = code >> format.fraction_bits();
  const std::uint32_t significand = field == 0 ? code : (code & (hidden - 1)) | hidden;
  return ExactInteger(significand) << (format.emin - format.fraction_bits() + 1074 + (field == 0 ? 0 : field - 1));
}

/// The code of a magnitude of `format`: how many values lie below it.
inline std::uint32_t code_of_magnitude(const FloatFormat& format, double magnitude) {
  if (std::isinf(magnitude)) return (format.emax - format.emin + 2u) << format.fraction_bits();
  const double spacing = ulp(format, magnitude);
  const int steps = std::ilogb(spacing) - (format.emin - format.fraction_bits());  // binades above the subnormals
  return (static_cast<std::uint32_t>(steps) << format.fraction_bits()) +
         static_cast<std::uint32_t>(magnitude / spacing);
}

inline bool is_value(const FloatFormat& format, double x) {
  const double magnitude = std::abs(x);
  return std::isinf(x) || (magnitude <= format.largest() &&
                           exact_magnitude(format, code_of_magnitude(format, magnitude)) == exact(magnitude));
}

/// Whether `mode` takes x to the magnitude with code `code` and the sign of x: every mode owns an interval around it.
inline bool rounds_to(const FloatFormat& format, Rounding mode, const ExactInteger& x, std::uint32_t code) {
  const ExactInteger magnitude = abs(x), here = exact_magnitude(format, code);
  const std::uint32_t infinity = (format.emax - format.emin + 2u) << format.fraction_bits();
  const bool away = mode == (x < 0 ? Rounding::downward : Rounding::upward);
  const bool nearest = mode == Rounding::nearest_even || mode == Rounding::nearest_away;
  const ExactInteger below = code == 0 ? here : exact_magnitude(format, code - 1);
  if (code == infinity) return nearest ? 2 * magnitude >= below + here : away && magnitude > below;
  const ExactInteger above = exact_magnitude(format, code + 1);
  if (away) return (code == 0 || below < magnitude) && magnitude <= here;
  if (!nearest) return here <= magnitude && (magnitude < above || code + 1 == infinity);
  const bool tie_below_is_here = mode == Rounding::nearest_away || code % 2 == 0;
  const bool tie_above_is_here = mode == Rounding::nearest_even && code % 2 == 0;
  const ExactInteger twice = 2 * magnitude, from = below + here, to = here + above;
  return (code == 0 || from < twice || (tie_below_is_here && from == twice)) &&
         (twice < to || (tie_above_is_here && twice == to));
}

}  // namespace assay
