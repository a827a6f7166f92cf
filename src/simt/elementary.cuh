#pragma once

#include <cmath>
#include <cstdint>

#include "simt/qualifiers.cuh"

/// Elementary functions of float32 with the same bits on the host and on the GPU: float +, -, ×, ÷, sqrt and fma
/// rounded to nearest even, integer operations, conversions between integers and floats; no library function.
/// No product feeds a sum except through fmaf, so contraction cannot change a result. Subnormals are kept
/// (-ftz=false), ÷ and sqrt are correctly rounded (-prec-div=true -prec-sqrt=true). A NaN result is 0x7fffffff.
///
/// Polynomials are minimax fits by scripts/minimax.py. Argument reduction after Cody and Waite, "Software Manual for
/// the Elementary Functions", 1980, and Payne and Hanek, "Radian reduction for trigonometric functions", SIGNUM
/// Newsletter 18(1), 1983; both in Muller, "Elementary Functions", 3rd ed., 2016, chapter 11.
namespace assay::elementary {

/// Largest error over all 2^32 inputs, in ulps of the exact result, rounded up to three decimals. Each was found
/// against double-double values with a proven bound, and Arb decided which input is the worst; of sin and cos too,
/// whatever |x|: up to 2^30 and beyond.
namespace max_ulp {
inline constexpr double exp = 0.892;
inline constexpr double exp2 = 0.879;
inline constexpr double log = 0.934;
inline constexpr double sin = 1.493;
inline constexpr double cos = 1.496;
inline constexpr double tanh = 1.590;
inline constexpr double sigmoid = 2.402;
inline constexpr double rsqrt = 1.491;
}  // namespace max_ulp

/// Largest error over all inputs in [-126, 128), relative to the exact result, found likewise; below 2^-18.
namespace max_relative {
inline constexpr double exp2_quartic = 2.882e-6;
}  // namespace max_relative

namespace detail {

inline constexpr std::uint32_t sign_bit = 0x80000000u;

ASSAY_HOST_DEVICE float canonical_nan() { return float_from_bits(0x7fffffffu); }
ASSAY_HOST_DEVICE float infinity() { return float_from_bits(0x7f800000u); }
ASSAY_HOST_DEVICE float absolute(float x) { return float_from_bits(float_bits(x) & ~sign_bit); }

/// x with the sign of `sign` multiplied in.
ASSAY_HOST_DEVICE float times_sign(float x, float sign) {
  return float_from_bits(float_bits(x) ^ (float_bits(sign) & sign_bit));
}

/// 2^n for -126 <= n <= 127.
ASSAY_HOST_DEVICE float power_of_two(int n) { return float_from_bits(static_cast<std::uint32_t>(n + 127) << 23); }

/// x 2^n for 1/2 <= x <= 2 and -150 <= n <= 128, rounded once: the first factor leaves x normal.
ASSAY_HOST_DEVICE float scaled(float x, int n) { return x * power_of_two(n >> 1) * power_of_two(n - (n >> 1)); }

/// c_0 + c_1 x + c_2 x^2 + ..., by Horner's rule.
ASSAY_HOST_DEVICE float polynomial(float, float c) { return c; }
template <class... Floats>
ASSAY_HOST_DEVICE float polynomial(float x, float c, Floats... higher) {
  return fmaf(polynomial(x, higher...), x, c);
}

/// The integer nearest to a product, ties to even, as a float and as an int.
struct Nearest {
  float value;
  int integer;
};

/// Nearest integer to x y, for |x y| < 2^22: adding 1.5 × 2^23 leaves it in the low bits of the sum.
ASSAY_HOST_DEVICE Nearest nearest_integer(float x, float y) {
  const float shift = 0x1.8p23f;
  const float sum = fmaf(x, y, shift);
  return {sum - shift, static_cast<int>(float_bits(sum) - float_bits(shift))};
}

}  // namespace detail

/// The larger operand, with -0 < +0; the other one if one is NaN. As PTX max.f32.
ASSAY_HOST_DEVICE float max(float x, float y) {
  if (x == y) return float_from_bits(float_bits(x) & float_bits(y));
  const float larger = x > y || y != y ? x : y;
  return larger != larger ? detail::canonical_nan() : larger;
}

/// The smaller operand, with -0 < +0; the other one if one is NaN. As PTX min.f32.
ASSAY_HOST_DEVICE float min(float x, float y) {
  if (x == y) return float_from_bits(float_bits(x) | float_bits(y));
  const float smaller = x < y || y != y ? x : y;
  return smaller != smaller ? detail::canonical_nan() : smaller;
}

/// e^x = 2^n e^r, n = round(x log2 e), r = x - n ln 2 from ln 2 in two parts (Cody-Waite); max_ulp::exp.
ASSAY_HOST_DEVICE float exp(float x) {
  float bounded = x > 89.0f ? 89.0f : x;            // from here on 2^n e^r overflows
  bounded = bounded < -104.0f ? -104.0f : bounded;  // and below it rounds to 0
  const auto n = detail::nearest_integer(bounded, 0x1.715476p+0f);
  const float r = fmaf(n.value, 0x1.05c61p-29f, fmaf(n.value, -0x1.62e43p-1f, bounded));
  const float power =
      detail::polynomial(r, 1.0f, 1.0f, 0x1.fffffcp-2f, 0x1.555492p-3f, 0x1.5558aep-5f, 0x1.12397cp-7f, 0x1.6a4efp-10f);
  return x != x ? detail::canonical_nan() : detail::scaled(power, n.integer);
}

/// 2^x = 2^n 2^r, n = round(x); r = x - n is exact; max_ulp::exp2.
ASSAY_HOST_DEVICE float exp2(float x) {
  float bounded = x > 128.25f ? 128.25f : x;
  bounded = bounded < -151.0f ? -151.0f : bounded;
  const auto n = detail::nearest_integer(bounded, 1.0f);
  const float r = bounded - n.value;
  const float power = detail::polynomial(r, 1.0f, 0x1.62e43p-1f, 0x1.ebfbdcp-3f, 0x1.c6af7ap-5f, 0x1.3b2dd2p-7f,
                                         0x1.5f094ap-10f, 0x1.417a7ep-13f);
  return x != x ? detail::canonical_nan() : detail::scaled(power, n.integer);
}

/// 2^x = 2^n 2^r as in exp2, 2^r by a polynomial of degree four and n added to the exponent of its bits; 0 below -126,
/// where results would be subnormal. For weights that are rounded to bf16. max_relative::exp2_quartic.
ASSAY_HOST_DEVICE float exp2_quartic(float x) {
  float bounded = x > 128.0f ? 128.0f : x;
  bounded = bounded < -126.0f ? -126.0f : bounded;
  const auto n = detail::nearest_integer(bounded, 1.0f);
  const float r = bounded - n.value;
  const float power = detail::polynomial(r, 1.0f, 0x1.62e12cp-1f, 0x1.ec0374p-3f, 0x1.c9fc4ep-5f, 0x1.3a02cep-7f);
  const float value = float_from_bits(float_bits(power) + (static_cast<std::uint32_t>(n.integer) << 23));
  if (x != x) return detail::canonical_nan();
  return x < -126.0f ? 0.0f : value;
}

/// ln x = n ln 2 + log1p(f), x = 2^n (1 + f) with 2/3 <= 1 + f < 4/3; max_ulp::log.
ASSAY_HOST_DEVICE float log(float x) {
  const bool subnormal = x < 0x1p-126f;
  const std::uint32_t bits = float_bits(subnormal ? x * 0x1p23f : x);
  const std::uint32_t two_thirds = 0x3f2aaaabu;
  const int exponent = static_cast<int>(bits - two_thirds) >> 23;
  const float f = float_from_bits(bits - (static_cast<std::uint32_t>(exponent) << 23)) - 1.0f;
  const float n = static_cast<float>(exponent - (subnormal ? 23 : 0));
  const float q = detail::polynomial(f, -0.5f, 0x1.555506p-2f, -0x1.fffef8p-3f, 0x1.99d05cp-3f, -0x1.559c8ap-3f,
                                     0x1.1ed454p-3f, -0x1.f3329cp-4f, 0x1.1e728ep-3f, -0x1.07bf22p-3f);
  const float log1p = fmaf(q, f * f, f);
  const float value = fmaf(n, 0x1.62e43p-1f, fmaf(n, -0x1.05c61p-29f, log1p));
  if (x == 0.0f) return -detail::infinity();
  if (x == detail::infinity()) return x;
  return x > 0.0f ? value : detail::canonical_nan();
}

namespace detail {

/// x = quadrant π/2 + rest modulo 2π, |rest| <= π/4 up to rounding.
struct Reduced {
  int quadrant;
  float rest;
};

/// For 0 <= x <= 71476, by π/2 in three parts (Cody-Waite).
ASSAY_HOST_DEVICE Reduced subtract_quadrants(float x) {
  const Nearest n = nearest_integer(x, 0x1.45f306p-1f);
  const float first = fmaf(n.value, -0x1.921fb6p+0f, x);
  const float second = fmaf(n.value, 0x1.777a5cp-25f, first);
  return {n.integer & 3, fmaf(n.value, 0x1.ee59dap-50f, second)};
}

/// For x >= 2^16, from the bits of 2/π that matter (Payne-Hanek): x = m 2^e; bits of 2/π of weight 2^(2-e) and above
/// contribute multiples of 4 to x (2/π), and 96 bits follow.
ASSAY_HOST_DEVICE Reduced multiply_two_over_pi(float x) {
  const std::uint32_t two_over_pi[8] = {0,           0xa2f9836eu, 0x4e441529u, 0xfc2757d1u,
                                        0xf534ddc0u, 0xdb629599u, 0x3c439041u, 0xfe5163abu};
  const std::uint64_t m = (float_bits(x) & 0x7fffffu) | 0x800000u;
  const int e = static_cast<int>(float_bits(x) >> 23 & 255u) - 150;
  const int first_bit = e + 30, word = first_bit >> 5, shift = first_bit & 31;
  const std::uint64_t words01 = static_cast<std::uint64_t>(two_over_pi[word]) << 32 | two_over_pi[word + 1];
  const std::uint64_t words23 = static_cast<std::uint64_t>(two_over_pi[word + 2]) << 32 | two_over_pi[word + 3];
  const std::uint64_t high = words01 << shift | (words23 >> 32) << shift >> 32;
  const std::uint64_t low = (words23 << shift) >> 32;
  const std::uint64_t quadrants = m * high + (m * low >> 32);  // x (2/π) mod 4, in units of 2^-62

  const std::int64_t rest = static_cast<std::int64_t>(quadrants << 2) >> 1;  // in [-1/2, 1/2), units of 2^-63
  const float head = static_cast<float>(rest);
  const float tail = static_cast<float>(rest - static_cast<std::int64_t>(head));
  const float radians = fmaf(head, 0x1.921fb6p+0f, fmaf(head, -0x1.777a5cp-25f, tail * 0x1.921fb6p+0f));
  return {static_cast<int>(quadrants >> 62) + (rest < 0), radians * 0x1p-63f};
}

ASSAY_HOST_DEVICE Reduced reduce(float x) { return x <= 71476.0f ? subtract_quadrants(x) : multiply_two_over_pi(x); }

/// sin r for |r| <= π/4.
ASSAY_HOST_DEVICE float sin_of_rest(float r) {
  const float z = r * r;
  const float p = polynomial(z, -0x1.555556p-3f, 0x1.111174p-7f, -0x1.a05962p-13f, 0x1.7c3516p-19f);
  return fmaf(p * z, r, r);
}

/// cos r for |r| <= π/4.
ASSAY_HOST_DEVICE float cos_of_rest(float r) {
  return polynomial(r * r, 1.0f, -0.5f, 0x1.55554ap-5f, -0x1.6c0c2ap-10f, 0x1.99e91p-16f);
}

/// sin(quadrant π/2 + rest).
ASSAY_HOST_DEVICE float sin_in_quadrant(int quadrant, float rest) {
  const float value = quadrant & 1 ? cos_of_rest(rest) : sin_of_rest(rest);
  return quadrant & 2 ? -value : value;
}

}  // namespace detail

/// max_ulp::sin.
ASSAY_HOST_DEVICE float sin(float x) {
  const float magnitude = detail::absolute(x);
  if (!(magnitude < detail::infinity())) return detail::canonical_nan();
  const auto [quadrant, rest] = detail::reduce(magnitude);
  return detail::times_sign(detail::sin_in_quadrant(quadrant, rest), x);
}

/// cos x = sin(|x| + π/2); max_ulp::cos.
ASSAY_HOST_DEVICE float cos(float x) {
  const float magnitude = detail::absolute(x);
  if (!(magnitude < detail::infinity())) return detail::canonical_nan();
  const auto [quadrant, rest] = detail::reduce(magnitude);
  return detail::sin_in_quadrant(quadrant + 1, rest);
}

/// x + x^3 p(x^2) for |x| < 0.55, else ±(1 - 2 / (e^(2|x|) + 1)); max_ulp::tanh.
ASSAY_HOST_DEVICE float tanh(float x) {
  const float magnitude = detail::absolute(x);
  const float z = x * x;
  const float p =
      detail::polynomial(z, -0x1.55553ep-2f, 0x1.1109bep-3f, -0x1.b89abep-5f, 0x1.54c3f8p-6f, -0x1.8288dep-8f);
  const float small = fmaf(p * z, magnitude, magnitude);
  const float large = fmaf(-2.0f, 1.0f / (exp(magnitude + magnitude) + 1.0f), 1.0f);
  return x != x ? detail::canonical_nan() : detail::times_sign(magnitude < 0.55f ? small : large, x);
}

/// 1 / (1 + e^-x), from e^-|x| so that neither side cancels; max_ulp::sigmoid.
ASSAY_HOST_DEVICE float sigmoid(float x) {
  const float t = exp(-detail::absolute(x));
  const float value = (x < 0.0f ? t : 1.0f) / (1.0f + t);
  return x != x ? detail::canonical_nan() : value;
}

/// 1 / sqrt(x), two roundings; max_ulp::rsqrt.
ASSAY_HOST_DEVICE float rsqrt(float x) {
  const float value = 1.0f / sqrtf(x);
  return value != value ? detail::canonical_nan() : value;
}

}  // namespace assay::elementary
