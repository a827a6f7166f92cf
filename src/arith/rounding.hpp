#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "arith/float_format.hpp"

namespace assay {

enum class Rounding { nearest_even, nearest_away, toward_zero, downward, upward };

/// hi + lo rounded to odd in double: itself if it is a double, else the neighbour whose last bit is 1. Rounding the
/// result to at most 51 bits, in any mode, equals rounding hi + lo: Boldo and Melquiond, "Emulation of a FMA and
/// correctly rounded sums", IEEE Trans. Computers 57(4), 2008, theorem 2.
constexpr double round_to_odd(double hi, double lo) {
  if (lo == 0) return hi;
  const double sum = hi + lo;
  const double from_lo = sum - hi;
  const double rest = (hi - (sum - from_lo)) + (lo - from_lo);  // hi + lo = sum + rest (Knuth's two-sum)
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(sum);
  const bool finite = (bits >> 52 & 0x7ff) != 0x7ff;
  if (!finite || rest == 0 || bits & 1) return sum;
  return std::bit_cast<double>((rest < 0) == (sum < 0) ? bits + 1 : bits - 1);
}

/// x rounded once to `format`, which has at most 51 bits and emin - precision >= -1000. NaN stays NaN.
constexpr double round_to(const FloatFormat& format, double x, Rounding mode = Rounding::nearest_even) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const bool negative = x < 0;
  const double magnitude = negative ? -x : x;
  if (x != x || x == 0 || magnitude == infinity) return x;
  const bool nearest = mode == Rounding::nearest_even || mode == Rounding::nearest_away;
  const bool away = mode == (negative ? Rounding::downward : Rounding::upward);  // from zero
  double rounded = infinity;
  if (magnitude < power_of_two(format.emax + 1)) {
    const double spacing = ulp(format, magnitude);
    const double shift = 0x1p52 * spacing;  // the doubles in [shift, 2 shift) are the multiples of the spacing
    rounded = (magnitude + shift) - shift;
    const double error = rounded - magnitude;
    if (mode == Rounding::nearest_away && error == -spacing / 2) rounded += spacing;
    if (!nearest && !away && error > 0) rounded -= spacing;
    if (away && error < 0) rounded += spacing;
  }
  if (rounded > format.largest()) rounded = nearest || away ? infinity : format.largest();
  return negative ? -rounded : rounded;
}

/// hi + lo, taken exactly, rounded once to `format`.
constexpr double round_to(const FloatFormat& format, double hi, double lo, Rounding mode = Rounding::nearest_even) {
  return round_to(format, round_to_odd(hi, lo), mode);
}

/// bf16 to nearest even, in integers: loops over it vectorise. Overflow and subnormals need no case of their own.
constexpr Bf16 bf16_nearest_even(float x) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t rounded = (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
  return {static_cast<std::uint16_t>(x != x ? 0x7fffu : rounded)};
}

/// tf32 as tensor cores read a float32 that was not converted: the low 13 bits are dropped.
constexpr Tf32 tf32_truncated(float x) { return {std::bit_cast<std::uint32_t>(x) & 0xffffe000u}; }

/// tf32 to nearest, ties away from zero, as cvt.rna.tf32.f32 computes it.
constexpr Tf32 tf32_nearest_away(float x) {
  const std::uint32_t rounded = std::bit_cast<std::uint32_t>(x) + 0x1000u;
  return {x != x ? 0x7fffffffu : rounded & 0xffffe000u};
}

/// tf32 to nearest even, as cvt.rn.tf32.f32 computes it.
constexpr Tf32 tf32_nearest_even(float x) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t rounded = bits + 0xfffu + (bits >> 13 & 1u);
  return {x != x ? 0x7fffffffu : rounded & 0xffffe000u};
}

/// x, a value of fp16, in fp16's bits.
constexpr Fp16 encode_fp16(float x) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t sign = bits >> 16 & 0x8000u;
  const float magnitude = std::bit_cast<float>(bits & 0x7fffffffu);
  if (x != x) return {0x7fff};
  if (magnitude > fp16_format.largest()) return {static_cast<std::uint16_t>(sign | 0x7c00u)};
  const std::uint32_t code = magnitude < 0x1p-14f ? static_cast<std::uint32_t>(magnitude * 0x1p24f)
                                                  : (bits >> 13 & 0x3ffffu) - (112u << 10);  // bias 127 to bias 15
  return {static_cast<std::uint16_t>(sign | code)};
}

/// x, a value of T's format, in T's bits. NaN gives T's canonical NaN: 0x7fffffff or 0x7fff.
template <class T>
constexpr T encode(double x) {
  const float value = x != x ? canonical_nan : static_cast<float>(x);
  if constexpr (std::is_same_v<T, float>)
    return value;
  else if constexpr (std::is_same_v<T, Fp16>)
    return encode_fp16(value);
  else if constexpr (std::is_same_v<T, Bf16>)
    return {static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16)};
  else
    return {std::bit_cast<std::uint32_t>(value)};
}

/// x rounded once to T (float, Tf32, Bf16, Fp16), to nearest even.
template <class T>
constexpr T round_to(double x) {
  return encode<T>(round_to(format_of<T>, x));
}

/// hi + lo, taken exactly, rounded once to T, to nearest even.
template <class T>
constexpr T round_to(double hi, double lo) {
  return encode<T>(round_to(format_of<T>, hi, lo));
}

template <class T>
constexpr T round_to(float x) {
  if constexpr (std::is_same_v<T, Bf16>)
    return bf16_nearest_even(x);
  else if constexpr (std::is_same_v<T, Tf32>)
    return tf32_nearest_even(x);
  else
    return round_to<T>(static_cast<double>(x));
}

}  // namespace assay
