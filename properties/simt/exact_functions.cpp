#include "properties/simt/exact_functions.hpp"

#include <array>

#include "arith/float_format.hpp"

namespace assay::exact_functions {
namespace {

constexpr int exponents = 128;

/// 2^e mod 2π for 0 <= e < 128. Each step doubles the error of the last, so 400 bits leave more than 250.
std::array<DoubleDouble, exponents> powers_modulo_two_pi() {
  const ArbPrecision precision(400);
  const Arb two_pi = Arb::pi() * Arb(2);
  std::array<DoubleDouble, exponents> table;
  Arb power(1);
  for (DoubleDouble& entry : table) {
    entry = power.mid();
    power += power;
    if (certainly_less(two_pi, power)) power -= two_pi;
  }
  return table;
}

/// x > 2^32 as an argument of sin and cos: within 2^24 2π (u^2 + 2 u^2) < 2^-77 of x modulo 2π.
DoubleDouble modulo_two_pi(float x) {
  static const std::array<DoubleDouble, exponents> table = powers_modulo_two_pi();
  const std::uint32_t code = code_of(x), exponent = code >> 23, hidden = 1u << 23;
  return table[exponent - 150] * static_cast<double>((code & (hidden - 1)) | hidden);
}

constexpr float largest_given = 0x1p32f;
constexpr float small = 0x1p-12f;

DoubleDouble argument(float x) { return x > largest_given ? modulo_two_pi(x) : DoubleDouble(x); }

ErrorBound bound_of(float x) { return {0, double_double_bound::sincos + (x > largest_given ? 0x1p-77 : 0.0)}; }

}  // namespace

Pairs pairs_of(const LaneArray& lanes, ErrorBound bound) {
  Pairs pairs(lanes.lanes());
  for (std::size_t i = 0; i < lanes.lanes(); ++i) pairs.value[i] = lanes.at(0, i), pairs.bound[i] = bound;
  return pairs;
}

std::vector<DoubleDouble> arguments(std::span<const float> x) {
  std::vector<DoubleDouble> all(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) all[i] = argument(x[i]);
  return all;
}

SinCosPairs sincos_pairs(std::span<const float> x) {
  const SinCosLanes lanes = LaneArithmetic().sincos(lanes_of(x, argument));
  SinCosPairs pairs{pairs_of(lanes.sin, {}), pairs_of(lanes.cos, {})};
  for (std::size_t i = 0; i < x.size(); ++i) {
    pairs.sin.bound[i] = pairs.cos.bound[i] = bound_of(x[i]);
    if (x[i] >= small) continue;
    const double y = x[i];  // sin y = y - y^3/6 within y^5/120
    pairs.sin.value[i] = fast_two_sum(y, -y * y * y / 6);
    pairs.sin.bound[i] = {0x1p-54, double_double_bound::underflow};
  }
  return pairs;
}

Pairs Sigmoid::pairs(std::span<const float> x) {
  const LaneArray t = LaneArithmetic().exp(lanes_of(x, [](float y) { return -std::abs(y); }));
  constexpr double relative = 2 * double_double_bound::exp + double_double_bound::sum + double_double_bound::quotient;
  Pairs pairs = pairs_of(t, {1.01 * relative, 2 * double_double_bound::exp_absolute});
  for (std::size_t i = 0; i < x.size(); ++i) {
    const DoubleDouble power = pairs.value[i];
    pairs.value[i] = (x[i] < 0 ? power : DoubleDouble(1)) / (DoubleDouble(1) + power);
  }
  return pairs;
}

}  // namespace assay::exact_functions
