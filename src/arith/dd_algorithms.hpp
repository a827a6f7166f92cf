#pragma once

#include <array>
#include <cstdint>

#include "arith/dd_elementary.hpp"
#include "arith/dd_tables.hpp"
#include "arith/double_double.hpp"

/// The algorithms behind exp, tanh and sincos: branch-free and inlined without fail, so that one source serves the
/// scalar functions and, lane by lane, every vector path, with the same bits. Domains are asserted by the callers;
/// the error of each step is derived in bounds.md, section 3.
namespace assay::dd {

/// A double whose last bits hold the nearest integer n of |n| < 2^50: x + rounder - rounder = n.
inline constexpr double rounder = 0x1.8p52;

/// 1/n!, n <= 15, as pairs; relative error <= u^2, as n! and the residual are exact.
inline constexpr auto inverse_factorial = [] {
  std::array<DoubleDouble, 16> pairs{};
  double factorial = 1;
  for (int n = 0; n < 16; ++n) {
    if (n > 1) factorial *= n;
    const double hi = 1 / factorial;
    pairs[n] = {hi, __builtin_fma(-factorial, hi, 1.0) / factorial};
  }
  return pairs;
}();

/// The Taylor coefficients of sine (odd n) and cosine (even n).
inline constexpr auto sincos_coefficient = [] {
  auto pairs = inverse_factorial;
  for (int n = 0; n < 16; ++n)
    if (n / 2 % 2 != 0) pairs[n] = -pairs[n];
  return pairs;
}();

/// a + b for a = 0 or |b| <= 0.51 |a|: error <= 4.6 u^2 |a| (bounds.md, section 3).
[[gnu::always_inline]] constexpr inline DoubleDouble add_smaller(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble s = fast_two_sum(a.hi, b.hi);
  return fast_two_sum(s.hi, s.lo + (a.lo + b.lo));
}

/// a + b for a double b, |b| <= |a|/8: error <= 2.2 u^2 |a|.
[[gnu::always_inline]] constexpr inline DoubleDouble add_smaller(DoubleDouble a, double b) {
  const DoubleDouble s = fast_two_sum(a.hi, b);
  return fast_two_sum(s.hi, s.lo + a.lo);
}

[[gnu::always_inline]] inline std::uint64_t bits_of(double x) { return __builtin_bit_cast(std::uint64_t, x); }
[[gnu::always_inline]] inline double double_of(std::uint64_t bits) { return __builtin_bit_cast(double, bits); }

/// 2^(j/64) e^r - 1 and 2^k, where x = (64 k + j) ln 2 / 64 + r and -32 <= j < 32.
struct ReducedExp {
  DoubleDouble minus_1;
  double power;
};

/// e^r - 1 for |r| <= 0.005416: relative error <= 3.3 u^2.
[[gnu::always_inline]] inline DoubleDouble expm1_near_zero(DoubleDouble r) {
  constexpr int first_double = 7;  // from r^7/7! on, doubles are enough
  double tail = inverse_factorial[13].hi;
#pragma GCC unroll 8
  for (int n = 12; n >= first_double; --n) tail = __builtin_fma(tail, r.hi, inverse_factorial[n].hi);
  DoubleDouble p = add_smaller(inverse_factorial[6], tail * r.hi);
#pragma GCC unroll 8
  for (int n = 5; n >= 2; --n) p = add_smaller(inverse_factorial[n], r * p);
  return add_smaller(r, r * r * p);
}

/// |x| <= 1400.
[[gnu::always_inline]] inline ReducedExp reduced_exp(DoubleDouble x, const DDTables& t) {
  constexpr std::uint64_t offset = std::uint64_t{1} << 20;  // keeps 64 k + j + offset positive
  const double shifted = __builtin_fma(x.hi, t.powers_per_unit, rounder + offset);
  const double n = shifted - (rounder + offset);
  const std::uint64_t n_bits = (bits_of(shifted) & 0xffffffff) + DDTables::powers / 2;
  const std::uint64_t j = n_bits % DDTables::powers;
  const std::uint64_t k = n_bits / DDTables::powers - offset / DDTables::powers;

  const DoubleDouble head = two_sum(x.hi, -n * t.ln2_part[0]);  // both products are exact: 17 + 36 bits
  const DoubleDouble rest = two_sum(x.lo, -n * t.ln2_part[1]);
  const DoubleDouble r = head + rest + -n * t.ln2_part[2];
  const DoubleDouble e = expm1_near_zero(r);
  const DoubleDouble scaled = DoubleDouble(t.power_hi[j], t.power_lo[j]) * e;
  return {add_smaller(DoubleDouble(t.power_minus_1_hi[j], t.power_minus_1_lo[j]), scaled), double_of((k + 1023) << 52)};
}

/// x.hi <= 709; 0 for x.hi < -708.
[[gnu::always_inline]] inline DoubleDouble exp(DoubleDouble x, const DDTables& t) {
  const bool vanishes = x.hi < -708;
  const ReducedExp e = reduced_exp(vanishes ? DoubleDouble(-708) : x, t);
  const DoubleDouble y = add_smaller(DoubleDouble(1), e.minus_1);
  const double power = vanishes ? 0 : e.power;
  return {y.hi * power, y.lo * power};
}

/// tanh |x| = -m / (2 + m), m = e^(-2|x|) - 1; beyond 350 it is that of 350.
[[gnu::always_inline]] inline DoubleDouble tanh(DoubleDouble x, const DDTables& t) {
  const double sign = __builtin_copysign(1.0, x.hi);
  const DoubleDouble magnitude = x.hi * sign > 350 ? DoubleDouble(350) : x * sign;
  const ReducedExp e = reduced_exp(magnitude * -2.0, t);
  const DoubleDouble scaled(e.minus_1.hi * e.power, e.minus_1.lo * e.power);
  const DoubleDouble m = scaled + fast_two_sum(-1.0, e.power);
  return m * -sign / (m + 2.0);
}

/// |x.hi| <= 2^32.
[[gnu::always_inline]] inline SinCos sincos(DoubleDouble x, const DDTables& t) {
  const double shifted = __builtin_fma(x.hi, t.sines_per_unit, rounder);
  const double n = shifted - rounder;
  const std::uint64_t j = bits_of(shifted) % DDTables::sines;
  const std::uint64_t quarter_on = (j + DDTables::sines / 4) % DDTables::sines;

  const DoubleDouble high = two_product(n, t.pi_part[0]);
  const DoubleDouble middle = two_product(n, t.pi_part[1]);
  const DoubleDouble r = two_sum(x.hi, -high.hi) + two_sum(x.lo, -high.lo) + -middle + -n * t.pi_part[2];
  const DoubleDouble r2 = r * r;

  double sin_tail = sincos_coefficient[15].hi;
#pragma GCC unroll 8
  for (int n = 13; n >= 9; n -= 2) sin_tail = __builtin_fma(sin_tail, r2.hi, sincos_coefficient[n].hi);
  DoubleDouble sin_p = add_smaller(sincos_coefficient[7], sin_tail * r2.hi);
#pragma GCC unroll 8
  for (int n = 5; n >= 3; n -= 2) sin_p = add_smaller(sincos_coefficient[n], r2 * sin_p);
  const DoubleDouble sin_r = add_smaller(r, r * r2 * sin_p);

  double cos_tail = sincos_coefficient[14].hi;
#pragma GCC unroll 8
  for (int n = 12; n >= 8; n -= 2) cos_tail = __builtin_fma(cos_tail, r2.hi, sincos_coefficient[n].hi);
  DoubleDouble cos_p = add_smaller(sincos_coefficient[6], cos_tail * r2.hi);
#pragma GCC unroll 8
  for (int n = 4; n >= 2; n -= 2) cos_p = add_smaller(sincos_coefficient[n], r2 * cos_p);
  const DoubleDouble cos_r_minus_1 = r2 * cos_p;

  const DoubleDouble sin_j(t.sine_hi[j], t.sine_lo[j]);
  const DoubleDouble cos_j(t.sine_hi[quarter_on], t.sine_lo[quarter_on]);
  return {add_smaller(sin_j, sin_j * cos_r_minus_1 + cos_j * sin_r),
          add_smaller(cos_j, cos_j * cos_r_minus_1 + -(sin_j * sin_r))};
}

}  // namespace assay::dd
