#include "simt/approximate/libdevice.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "simt/approximate/instructions.hpp"
#include "simt/qualifiers.cuh"

namespace assay::simt::libdevice {
namespace {

using approximate::canonical;

constexpr float infinity = std::numeric_limits<float>::infinity();

float fma(float x, float y, float z) { return __builtin_fmaf(x, y, z); }

/// ((c_0 x + c_1) x + c_2) ... by fma.
template <class... Floats>
float horner(float x, float c0, Floats... rest) {
  float sum = c0;
  ((sum = fma(sum, x, rest)), ...);
  return sum;
}

/// x = quadrant π/2 + rest modulo 2π.
struct Reduced {
  std::uint32_t quadrant;
  float rest;
};

/// The bits of 2/π that count, times the mantissa, in words of 32 bits.
Reduced multiply_two_over_pi(float x) {
  constexpr std::uint32_t two_over_pi[] = {0x3c439041, 0xdb629599, 0xf534ddc0, 0xfc2757d1, 0x4e441529, 0xa2f9836e};
  const std::uint32_t bits = float_bits(x), exponent = (bits >> 23 & 255) - 128, mantissa = bits << 8 | 0x80000000u;
  std::uint32_t product[7];
  std::uint64_t carry = 0;
  for (int i = 0; i < 6; ++i) {
    carry += std::uint64_t{two_over_pi[i]} * mantissa;
    product[i] = static_cast<std::uint32_t>(carry);
    carry >>= 32;
  }
  product[6] = static_cast<std::uint32_t>(carry);
  const std::uint32_t word = exponent >> 5, shift = exponent & 31;
  std::uint32_t high = product[6 - word], low = product[5 - word];
  if (shift != 0) {
    high = (high << shift) + (low >> (32 - shift));
    low = (low << shift) + (product[4 - word] >> (32 - shift));
  }
  const std::uint32_t fraction = high << 2 | low >> 30, above_half = fraction >> 31;
  const std::uint32_t quadrant = (high >> 30) + above_half, flip = above_half ? ~0u : 0u;
  const std::uint64_t rest = std::uint64_t{fraction ^ flip} << 32 | ((low << 2) ^ flip);
  const auto radians = static_cast<float>(static_cast<double>(static_cast<std::int64_t>(rest)) *
                                          std::bit_cast<double>(0x3BF921FB54442D19));
  const bool negative = bits >> 31;
  return {negative ? -quadrant : quadrant, negative != (above_half != 0) ? -radians : radians};
}

Reduced reduce(float x) {
  const float size = std::abs(x);
  if (size == infinity) return {0, x * 0.0f};
  if (size >= 105615.0f) return multiply_two_over_pi(x);
  const float shift = 0x1.8p23f;  // leaves the nearest integer in the low bits of a sum
  const float sum = x * 0x1.45f306p-1f + shift, quadrant = sum - shift;
  const float first = fma(quadrant, -0x1.921fb4p+0f, x), second = fma(quadrant, -0x1.4442dp-24f, first);
  const float rest = fma(quadrant, -0x1.84698ap-48f, second);
  return {float_bits(sum) - float_bits(shift), rest};
}

/// sin(quadrant π/2 + rest).
float sin_in_quadrant(std::uint32_t quadrant, float rest) {
  const bool cosine = quadrant & 1;
  const float z = rest * rest, factor = cosine ? 1.0f : rest;
  const float p = cosine ? horner(z, 0x1.9758p-16f, -0x1.6c0fdap-10f, 0x1.555576p-5f, -0x1.fffffep-2f)
                         : horner(z, -0x1.9a82a6p-13f, 0x1.110bc8p-7f, -0x1.55555p-3f);
  const float value = fma(p, fma(z, factor, 0.0f), factor);
  return canonical(quadrant & 2 ? fma(value, -1.0f, 0.0f) : value);
}

}  // namespace

float expf(float x) {
  const float scaled = fma(x, 0x1.77313ap-8f, 0.5f);                           // log2 e / 252
  const float share = scaled > 0.0f ? (scaled < 1.0f ? scaled : 1.0f) : 0.0f;  // NaN: 0
  const float shift = 0x1.800002p23f;  // the product below, rounded down, is in the low bits of the sum
  const float sum = shift + static_cast<float>(std::floor(double{share} * 252));
  const float n = sum - (shift + 126.0f);
  const float r = fma(x, 0x1.4ae0cp-26f, fma(x, 0x1.715476p+0f, -n));
  return canonical(approximate::ex2_ftz(r) * float_from_bits(float_bits(sum) << 23));
}

float exp2f(float x) { return approximate::ex2(x); }

float logf(float x) {
  const bool subnormal = x < 0x1p-126f;
  const float y = subnormal ? x * 0x1p23f : x;
  const std::uint32_t bits = float_bits(y), two_thirds = 0x3f2aaaab, exponent = (bits - two_thirds) & 0xff800000;
  const float f = float_from_bits(bits - exponent) - 1.0f;
  const float n = fma(static_cast<float>(static_cast<std::int32_t>(exponent)), 0x1p-23f, subnormal ? -23.0f : 0.0f);
  const float q = horner(f, -0x1.0aa04ep-3f, 0x1.2073ecp-3f, -0x1.f19b98p-4f, 0x1.1e52aap-3f, -0x1.55b172p-3f,
                         0x1.99da16p-3f, -0x1.fffe44p-3f, 0x1.5554fp-2f, -0.5f);
  if (y == 0.0f) return -infinity;
  if (bits >= float_bits(infinity)) return canonical(fma(y, infinity, infinity));
  return fma(n, 0x1.62e43p-1f, fma(f * q, f, f));
}

float sinf(float x) {
  const auto [quadrant, rest] = reduce(x);
  return sin_in_quadrant(quadrant, rest);
}

float cosf(float x) {
  const auto [quadrant, rest] = reduce(x);
  return sin_in_quadrant(quadrant + 1, rest);
}

float tanhf(float x) {
  const float size = std::abs(x), z = x * x;
  const float power = approximate::ex2_ftz(size * 0x1.715476p+1f);
  const float large = size >= 0x1.205968p+3f ? 1.0f : fma(approximate::rcp_ftz(power + 1.0f), -2.0f, 1.0f);
  if (size >= 0x1.333334p-1f) return std::copysign(large, x);
  const float p = horner(z, 0x1.01e104p-6f, -0x1.ac795cp-5f, 0x1.10b282p-3f, -0x1.5553dap-2f, 0.0f);
  return canonical(fma(p, x, x));
}

}  // namespace assay::simt::libdevice
