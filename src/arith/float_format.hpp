#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

namespace assay {

/// 2^e for -1022 <= e <= 1023.
constexpr double power_of_two(int e) { return std::bit_cast<double>(static_cast<std::uint64_t>(e + 1023) << 52); }

/// A binary format of the IEEE 754 kind: signed zeros, gradual underflow, infinities, NaNs. Its finite values are
/// ±m 2^(e - precision + 1) for integers 0 <= m < 2^precision and emin <= e <= emax; all are doubles.
struct FloatFormat {
  std::string_view name;
  int precision;  ///< bits of the significand, the hidden one included
  int emin;       ///< exponent of the least normal number
  int emax;       ///< exponent of the largest number

  constexpr int fraction_bits() const { return precision - 1; }
  constexpr int exponent_bits() const { return std::bit_width(static_cast<unsigned>(emax - emin + 2)); }
  /// u = 2^-precision: |round(x) - x| <= u |x| to nearest, for |x| in the normal range.
  constexpr double unit_roundoff() const { return power_of_two(-precision); }
  /// |round(x) - x| <= eta to nearest, for |x| below the normal range; half of least_subnormal().
  constexpr double eta() const { return power_of_two(emin - precision); }
  constexpr double least_subnormal() const { return power_of_two(emin - fraction_bits()); }
  constexpr double least_normal() const { return power_of_two(emin); }
  constexpr double largest() const { return (2 - power_of_two(-fraction_bits())) * power_of_two(emax); }
};

inline constexpr FloatFormat float32_format{"f32", 24, -126, 127};
inline constexpr FloatFormat tf32_format{"tf32", 11, -126, 127};
inline constexpr FloatFormat bf16_format{"bf16", 8, -126, 127};
inline constexpr FloatFormat fp16_format{"fp16", 11, -14, 15};

/// The format called `name`; throws std::invalid_argument for any other name.
constexpr const FloatFormat& format_named(std::string_view name) {
  for (const FloatFormat* format : {&float32_format, &tf32_format, &bf16_format, &fp16_format})
    if (format->name == name) return *format;
  throw std::invalid_argument("format = " + std::string(name) + ": one of f32, tf32, bf16, fp16");
}

// Storage: plain bits, the same on every machine; == compares bits, not values.
// Every function is constexpr, so that device code may call it (nvcc --expt-relaxed-constexpr).

struct Bf16 {
  std::uint16_t bits;
  friend constexpr bool operator==(Bf16, Bf16) = default;
};

struct Fp16 {
  std::uint16_t bits;
  friend constexpr bool operator==(Fp16, Fp16) = default;
};

/// A float32 as tensor cores read it: the low 13 bits are ignored (a NaN with no other payload reads as infinity).
struct Tf32 {
  std::uint32_t bits;
  friend constexpr bool operator==(Tf32, Tf32) = default;
};

/// The format of a storage type.
template <class T>
inline constexpr FloatFormat format_of = T::format;
template <>
inline constexpr FloatFormat format_of<float> = float32_format;
template <>
inline constexpr FloatFormat format_of<Tf32> = tf32_format;
template <>
inline constexpr FloatFormat format_of<Bf16> = bf16_format;
template <>
inline constexpr FloatFormat format_of<Fp16> = fp16_format;

/// The NaN that GPUs produce.
inline constexpr float canonical_nan = std::bit_cast<float>(0x7fffffffu);

/// The value of x, exactly. An fp16 NaN gives the canonical one, as conversion instructions do.
constexpr float to_float(float x) { return x; }
constexpr float to_float(Tf32 x) { return std::bit_cast<float>(x.bits & 0xffffe000u); }
constexpr float to_float(Bf16 x) { return std::bit_cast<float>(static_cast<std::uint32_t>(x.bits) << 16); }
constexpr float to_float(Fp16 x) {
  const std::uint32_t magnitude = x.bits & 0x7fffu;
  if (magnitude > 0x7c00u) return canonical_nan;
  // Read with float32's bias, the exponent is 127 - 15 = 112 too small, that of subnormals included.
  const float value =
      magnitude == 0x7c00u ? std::numeric_limits<float>::infinity() : std::bit_cast<float>(magnitude << 13) * 0x1p112f;
  return x.bits & 0x8000u ? -value : value;
}

template <class T>
constexpr double to_double(T x) {
  return to_float(x);
}

/// The bits of x as an integer of 1 + exponent_bits + fraction_bits bits.
constexpr std::uint32_t code_of(float x) { return std::bit_cast<std::uint32_t>(x); }
constexpr std::uint32_t code_of(Tf32 x) { return x.bits >> 13; }
constexpr std::uint32_t code_of(Bf16 x) { return x.bits; }
constexpr std::uint32_t code_of(Fp16 x) { return x.bits; }

/// The value whose code is `code`.
template <class T>
constexpr T from_code(std::uint32_t code) {
  if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<float>(code);
  else if constexpr (std::is_same_v<T, Tf32>)
    return {code << 13};
  else
    return {static_cast<std::uint16_t>(code)};
}

/// Codes of T: the sign bit, and infinity. Codes below the latter are the finite values from zero upwards.
template <class T>
inline constexpr std::uint32_t sign_code = 1u << (format_of<T>.exponent_bits() + format_of<T>.fraction_bits());
template <class T>
inline constexpr std::uint32_t infinity_code = sign_code<T> - (1u << format_of<T>.fraction_bits());

/// ulp_distance from a NaN to a number.
inline constexpr std::uint32_t nan_distance = std::numeric_limits<std::uint32_t>::max();

/// Steps from a to b along the values of their format. Both zeros are one value; subnormals are steps like any other;
/// infinity is one step beyond the largest. Between two NaNs 0, between a NaN and a number nan_distance.
template <class T>
constexpr std::uint32_t ulp_distance(T a, T b) {
  const std::uint32_t magnitude_a = code_of(a) & (sign_code<T> - 1), magnitude_b = code_of(b) & (sign_code<T> - 1);
  const bool nan_a = magnitude_a > infinity_code<T>, nan_b = magnitude_b > infinity_code<T>;
  if (nan_a || nan_b) return nan_a && nan_b ? 0 : nan_distance;
  if ((code_of(a) ^ code_of(b)) & sign_code<T>) return magnitude_a + magnitude_b;
  return magnitude_a > magnitude_b ? magnitude_a - magnitude_b : magnitude_b - magnitude_a;
}

/// Spacing of `format` at x: 2^(max(e, emin) - precision + 1) where 2^e <= |x| < 2^(e+1), so the least subnormal at 0.
/// Beyond the largest value, and at infinity, the spacing below it. NaN at NaN.
constexpr double ulp(const FloatFormat& format, double x) {
  if (x != x) return x;
  const int e = static_cast<int>(std::bit_cast<std::uint64_t>(x) >> 52 & 0x7ff) - 1023;
  return power_of_two((e < format.emin ? format.emin : e > format.emax ? format.emax : e) - format.fraction_bits());
}

/// |got - want| / ulp(want). Infinity counts as 2^(emax + 1), where the next value would be, so that an overflow right
/// to within a rounding is small. Infinities of opposite signs, and a NaN against a number, give infinity; two NaNs
/// give 0, and so do two zeros of any signs.
constexpr double error_in_ulps(const FloatFormat& format, double got, double want) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (got != got || want != want) return got != got && want != want ? 0 : infinity;
  if (got == -want && (got == infinity || want == infinity)) return infinity;
  const double beyond = power_of_two(format.emax + 1);
  const auto bounded = [&](double x) { return x == infinity ? beyond : x == -infinity ? -beyond : x; };
  const double difference = bounded(got) - bounded(want);
  return (difference < 0 ? -difference : difference) / ulp(format, want);
}

}  // namespace assay
