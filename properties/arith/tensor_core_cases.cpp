#include "properties/arith/tensor_core_cases.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace assay {
namespace {

using Twist = TensorCoreClass::Twist;

constexpr TensorCoreClass classes[] = {
    {"exact", {0, 2}, {0, 2}, {0, 4}, Twist::short_fractions},
    {"normal", {-6, 0}, {-6, 0}, {-6, 2}},
    {"wide", {-10, 10}, {-10, 10}, {-20, 20}},
    {"very wide", {-30, 30}, {-30, 30}, {-60, 60}},
    {"full range", {-140, 127}, {-140, 127}, {-149, 127}},
    {"cancelling pairs", {-6, 0}, {-6, 0}, {-40, 1}, Twist::cancelling_pairs},
    {"cancelling C", {-6, 0}, {-6, 0}, {-6, 0}, Twist::cancelling_c},
    {"subnormal operands", {-133, -120}, {-10, 127}, {-149, 127}},
    {"half-range subnormal operands", {-24, -8}, {-24, 15}, {-40, 0}},
    {"subnormal result", {-78, -62}, {-76, -60}, {-149, -120}},
    {"underflow", {-82, -74}, {-82, -74}, {-149, -146}},
    {"big accumulator", {-6, 0}, {-6, 0}, {3, 30}},
    {"small accumulator", {-6, 0}, {-6, 0}, {-40, -10}},
    {"overflow", {56, 64}, {56, 64}, {120, 127}},
    {"zero times huge", {-20, 3}, {-20, 127}, {-149, 10}, Twist::mostly_zero_a},
    {"signed zeros", {-3, 3}, {-3, 3}, {-149, -127}, Twist::zero_a},
    {"probabilities times values", {-15, 0}, {-6, 0}, {-6, 2}, Twist::positive},
    {"one large addend", {-1, 0}, {-1, 0}, {-30, -28}, Twist::one_large},
    {"infinities and NaNs", {-6, 0}, {-6, 0}, {-6, 2}, Twist::specials},
    {"any bits", {}, {}, {}, Twist::any_bits},
};

/// ±f 2^e with a uniform exponent and fraction, cut to 2^emax and to where values of `format` end.
float number(Exponents exponents, const FloatFormat& format, Draw& draw) {
  const std::uint64_t bits = draw.bits();
  const int low = std::clamp(exponents.low, format.emin - format.fraction_bits(), format.emax);
  const int high = std::clamp(exponents.high, low, format.emax);
  const int exponent = low + static_cast<int>((bits >> 32) * (high - low + 1) >> 32);
  const double significand = 1 + static_cast<double>(bits & 0x7fffff) * 0x1p-23;
  return static_cast<float>(round_to(float32_format, std::ldexp(bits >> 31 & 1 ? -significand : significand, exponent),
                                     Rounding::toward_zero));
}

std::vector<float> numbers(std::size_t count, Exponents exponents, const FloatFormat& format, Draw& draw) {
  std::vector<float> out(count);
  for (float& x : out) x = number(exponents, format, draw);
  return out;
}

bool one_in(std::uint64_t n, Draw& draw) { return draw.below(n) == 0; }

void make_zero(std::vector<float>& values, std::uint64_t kept_one_in, Draw& draw) {
  for (float& x : values)
    if (kept_one_in == 0 || !one_in(kept_one_in, draw)) x = std::copysign(0.0f, x);
}

void shorten(std::vector<float>& values) {
  for (float& x : values) x = static_cast<float>(round_to({"", 3, -126, 127}, x, Rounding::toward_zero));
}

void pair_up(std::vector<float>& values, float sign, Draw& draw) {
  for (std::size_t i = 0; i + 1 < values.size(); i += 2) {
    values[i + 1] = sign * values[i];
    if (one_in(8, draw)) values[i + 1] *= 1.0078125f;
  }
}

void cancel_c(TensorCoreValues& values, int K, Draw& draw) {
  for (int m = 0; m < 16; ++m)
    for (int n = 0; n < 8; ++n) {
      double sum = 0;
      for (int k = 0; k < K; ++k) sum += static_cast<double>(values.a[m * K + k]) * values.b[n * K + k];
      values.c[m * 8 + n] = static_cast<float>(-sum) * (1 + static_cast<float>(draw.below(7)) * 0x1p-23f);
    }
}

void make_positive(std::vector<float>& values) {
  for (float& x : values) x = std::abs(x);
}

void insert_specials(std::vector<float>& values, Draw& draw) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr float specials[] = {infinity, -infinity, canonical_nan, 0.0f, -0.0f};
  for (float& x : values)
    if (one_in(40, draw)) x = specials[draw.below(one_in(4, draw) ? 5 : 2)];
}

void any_bits(std::vector<float>& values, Draw& draw) {
  for (float& x : values) x = std::bit_cast<float>(static_cast<std::uint32_t>(draw.bits()));
}

void twist(Twist kind, TensorCoreValues& values, int K, Draw& draw) {
  switch (kind) {
    case Twist::none:
      break;
    case Twist::short_fractions:
      for (auto* x : {&values.a, &values.b, &values.c}) shorten(*x);
      break;
    case Twist::cancelling_pairs:
      pair_up(values.a, 1, draw);
      pair_up(values.b, -1, draw);
      break;
    case Twist::cancelling_c:
      cancel_c(values, K, draw);
      break;
    case Twist::mostly_zero_a:
      make_zero(values.a, 3, draw);
      make_zero(values.c, 3, draw);
      break;
    case Twist::zero_a:
      make_zero(values.a, 0, draw);
      make_zero(values.c, 8, draw);
      break;
    case Twist::positive:
      make_positive(values.a);
      make_positive(values.b);
      break;
    case Twist::one_large:
      for (auto* x : {&values.a, &values.b, &values.c}) make_positive(*x);
      for (std::size_t i = 0; i < values.a.size(); ++i)
        if (i % K != 0) values.a[i] *= 0x1p-14f;
      for (std::size_t i = 0; i < values.b.size(); ++i)
        if (i % K != 0) values.b[i] *= 0x1p-12f;
      break;
    case Twist::specials:
      for (auto* x : {&values.a, &values.b, &values.c}) insert_specials(*x, draw);
      break;
    case Twist::any_bits:
      for (auto* x : {&values.a, &values.b, &values.c}) any_bits(*x, draw);
      break;
  }
}

}  // namespace

std::span<const TensorCoreClass> tensor_core_classes() { return classes; }

TensorCoreValues draw_values(const TensorCoreClass& kind, const FloatFormat& format, int K, Draw& draw) {
  TensorCoreValues values{numbers(16 * K, kind.a, format, draw), numbers(8 * K, kind.b, format, draw),
                          numbers(16 * 8, kind.c, float32_format, draw)};
  twist(kind.twist, values, K, draw);
  return values;
}

}  // namespace assay
