#include "simt/approximate/instructions.hpp"

#include <cmath>
#include <limits>

#include "simt/approximate/tables.hpp"

namespace assay::simt::approximate {
namespace {

constexpr std::uint32_t sign_bit = 0x80000000u;
constexpr std::uint32_t infinity_bits = 0x7f800000u;
constexpr std::uint32_t least_normal = 0x00800000u;
constexpr float infinity = std::numeric_limits<float>::infinity();

float canonical_nan() { return float_from_bits(0x7fffffffu); }
std::uint32_t magnitude(float x) { return float_bits(x) & ~sign_bit; }
std::uint32_t sign_of(float x) { return float_bits(x) & sign_bit; }
bool is_nan(float x) { return magnitude(x) > infinity_bits; }
bool is_subnormal(float x) { return magnitude(x) < least_normal; }
float absolute(float x) { return float_from_bits(magnitude(x)); }

/// The unbiased exponent of a normal number.
int exponent_of(float x) { return static_cast<int>(magnitude(x) >> 23) - 127; }
std::uint32_t mantissa_of(float x) { return float_bits(x) & mantissa_mask; }

/// The positive normal number of these bits times 2^n; below 2^-126: 0.
float scaled(std::uint32_t bits, int n) {
  const int exponent = static_cast<int>(bits >> 23) + n;
  if (exponent >= 255) return infinity;
  return exponent < 1 ? 0.0f : float_from_bits((bits & mantissa_mask) | static_cast<std::uint32_t>(exponent) << 23);
}

float with_sign(float x, std::uint32_t sign) { return float_from_bits(float_bits(x) | sign); }

float rounded_toward_zero(double x) {
  const auto nearest = static_cast<float>(x);
  return std::abs(double{nearest}) > std::abs(x) ? std::nextafter(nearest, 0.0f) : nearest;
}

/// sin of 2π times a 25-bit fraction.
float sin_of_turn(std::uint32_t turn) {
  const std::uint32_t quadrant = turn / mantissas & 3, i = turn & mantissa_mask;
  const std::uint32_t value = table(TableName::sin)[quadrant & 1 ? mantissa_mask - i : i];
  return float_from_bits(quadrant & 2 ? value ^ sign_bit : value);
}

}  // namespace

float canonical(float x) { return is_nan(x) ? canonical_nan() : x; }

float ex2_ftz(float x) {
  if (is_nan(x)) return canonical_nan();
  const bool negative = sign_of(x) != 0;
  const int e = is_subnormal(x) ? -127 : exponent_of(x);
  if (e >= 8) return negative ? 0.0f : infinity;
  const std::uint64_t hidden = mantissa_of(x) | mantissas;
  const std::uint64_t fixed = e >= 0 ? hidden << e : e > -24 ? hidden >> -e : 0;
  const int whole = static_cast<int>(fixed / mantissas);
  const std::uint32_t fraction = fixed & mantissa_mask;
  if (!negative) return scaled(table(TableName::ex2_positive)[fraction], whole - 1);
  if (fraction == 0) return scaled(float_bits(1.0f), -whole);
  return scaled(table(TableName::ex2_negative)[fraction], 1 - whole);
}

float lg2_ftz(float x) {
  if (is_subnormal(x)) return -infinity;
  if (is_nan(x) || sign_of(x) != 0) return canonical_nan();
  if (x == infinity) return x;
  const int e = exponent_of(x);
  const TableName name = e >= 0 ? TableName::lg2_above_one : TableName::lg2_below_one;
  const float of_mantissa = float_from_bits(table(name)[mantissa_of(x)]);
  return rounded_toward_zero(double{of_mantissa} + (e >= 0 ? e : e + 1));
}

float rcp_ftz(float x) {
  if (is_nan(x)) return canonical_nan();
  if (is_subnormal(x)) return with_sign(infinity, sign_of(x));
  if (magnitude(x) == infinity_bits) return with_sign(0.0f, sign_of(x));
  return with_sign(scaled(table(TableName::rcp)[mantissa_of(x)], -exponent_of(x)), sign_of(x));
}

float rsqrt_ftz(float x) {
  if (is_subnormal(x)) return with_sign(infinity, sign_of(x));
  if (is_nan(x) || sign_of(x) != 0) return canonical_nan();
  if (x == infinity) return 0.0f;
  const int e = exponent_of(x), odd = e & 1;
  return scaled(table(TableName::rsqrt)[static_cast<std::uint32_t>(odd) * mantissas + mantissa_of(x)], -(e - odd) / 2);
}

float sin(float x) {
  if (magnitude(x) >= infinity_bits) return canonical_nan();
  return float_from_bits(float_bits(sin_of_turn(turn_of(absolute(x)))) ^ sign_of(x));
}

float cos(float x) {
  if (magnitude(x) >= infinity_bits) return canonical_nan();
  return sin_of_turn(turn_of(absolute(x)) + mantissas);
}

float tanh(float x) {
  if (is_nan(x)) return canonical_nan();
  const int binade = exponent_of(x) - tanh_lowest;
  if (binade < 0) return x;
  if (binade >= tanh_binades) return with_sign(1.0f, sign_of(x));
  const std::uint32_t entry = tanh_offset(binade) + (mantissa_of(x) >> (23 - tanh_bits(binade)));
  return with_sign(float_from_bits(table(TableName::tanh)[entry]), sign_of(x));
}

float ex2(float x) {
  if (!(x < -126.0f)) return ex2_ftz(x);
  const float root = ex2_ftz(x / 2);
  return root * root;
}

float lg2(float x) { return canonical(is_subnormal(x) ? lg2_ftz(x * 0x1p24f) - 24 : lg2_ftz(x)); }

float rcp(float x) {
  if (is_subnormal(x)) return rcp_ftz(x * 0x1p24f) * 0x1p24f;
  return absolute(x) > 0x1p126f ? rcp_ftz(x / 4) / 4 : rcp_ftz(x);
}

float rsqrt(float x) { return canonical(is_subnormal(x) ? rsqrt_ftz(x * 0x1p24f) * 0x1p12f : rsqrt_ftz(x)); }

float div(float x, float y) { return canonical(is_subnormal(y) ? x * rcp_ftz(y * 0x1p24f) * 0x1p24f : x * rcp_ftz(y)); }

float exp(float x) { return ex2(x * 0x1.715476p+0f); }

float log(float x) { return canonical(lg2(x) * 0x1.62e43p-1f); }

}  // namespace assay::simt::approximate
