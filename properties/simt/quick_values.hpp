#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

/// The functions of simt/elementary.cuh in double, by series without tables: quick, so that all floats can be tried,
/// and within bounds that leave much room. u = 2^-53.
///
/// A polynomial of positive or alternating falling terms by Horner's rule in fma is off by less than 2 u of its value,
/// its remainder by less than u, and each operation that follows by u: no value below is off by more than 2^-50 of
/// itself but where 1 - t cancels in tanh, 2^5 times that, and where an argument was reduced by π/2, `reduced`
/// absolutely.
namespace assay::quick {

inline constexpr double relative_bound = 0x1p-44;
/// x - n π/2 for n < 2^32: three parts, the first two products exact, the last within 2^-61; a difference that
/// is rounded, of numbers below 2, within 2^-53; an argument that is not a double within u of 2^27.
inline constexpr double reduced = 0x1p-50;

[[gnu::always_inline]] inline double nearest(double x) { return (x + 0x1.8p52) - 0x1.8p52; }

[[gnu::always_inline]] inline double horner(double, double c) { return c; }
template <class... Doubles>
[[gnu::always_inline]] inline double horner(double x, double c, Doubles... higher) {
  return __builtin_fma(horner(x, higher...), x, c);
}

/// 2^n for integers |n| <= 1000.
[[gnu::always_inline]] inline double power(double n) {
  return std::bit_cast<double>((std::bit_cast<std::uint64_t>(n + 0x1.8p52) + 1023) << 52);
}

/// e^r for |r| <= 0.35: the rest is below r^14 / 14! < u / 16.
[[gnu::always_inline]] inline double exp_series(double r) {
  return horner(r, 1.0, 1.0, 1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 720, 1.0 / 5040, 1.0 / 40320, 1.0 / 362880,
                1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800);
}

/// |x| <= 700.
[[gnu::always_inline]] inline double exp(double x) {
  const double n = nearest(x * 0x1.71547652b82fep+0);
  const double r = __builtin_fma(n, -0x1.abc9e3b39803fp-56, __builtin_fma(n, -0x1.62e42fefa39efp-1, x));
  return exp_series(r) * power(n);
}

/// |x| <= 1000.
[[gnu::always_inline]] inline double exp2(double x) {
  const double n = nearest(x);
  return exp_series((x - n) * 0x1.62e42fefa39efp-1) * power(n);
}

/// x > 0, normal: n ln 2 + 2 artanh s, s = f / (2 + f) for x = 2^n (1 + f), 2/3 <= 1 + f < 4/3; |s| <= 1/5, the rest is
/// below 2 s^23 / 23.
[[gnu::always_inline]] inline double log(double x) {
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(x), two_thirds = 0x3fe5555555555555;
  const std::uint64_t exponent = (bits - two_thirds) & 0xfff0000000000000;
  const double f = std::bit_cast<double>(bits - exponent) - 1;
  const double n = static_cast<double>(static_cast<std::int32_t>(exponent >> 32) >> 20);
  const double s = f / (2 + f), z = s * s;
  const double series =
      horner(z, 1.0, 1.0 / 3, 1.0 / 5, 1.0 / 7, 1.0 / 9, 1.0 / 11, 1.0 / 13, 1.0 / 15, 1.0 / 17, 1.0 / 19, 1.0 / 21);
  return __builtin_fma(n, 0x1.62e42fefa39efp-1, __builtin_fma(n, 0x1.abc9e3b39803fp-56, 2 * s * series));
}

/// x + rest = quadrant π/2 + r.
struct Reduced {
  double r;
  std::uint64_t quadrant;
  bool exact;  ///< r is x: nothing was subtracted
};

/// 0 <= x <= 2^32, |rest| below an ulp of x. π/2 in parts of 21, 21 and 53 bits.
[[gnu::always_inline]] inline Reduced reduce(double x, double rest) {
  const double n = nearest(x * 0x1.45f306dc9c883p-1);
  const double first = __builtin_fma(n, -0x1.921fbp+0, x), second = __builtin_fma(n, -0x1.5110bp-22, first);
  const double r = __builtin_fma(n, -0x1.18469898cc517p-44, second) + rest;
  return {r, std::bit_cast<std::uint64_t>(n + 0x1.8p52) & 3, n == 0};
}

/// |r| <= 0.79: the rest is below r^19 / 19! and r^18 / 18!.
[[gnu::always_inline]] inline double sin_series(double r) {
  const double z = r * r;
  return __builtin_fma(r * z,
                       horner(z, -1.0 / 6, 1.0 / 120, -1.0 / 5040, 1.0 / 362880, -1.0 / 39916800, 1.0 / 6227020800,
                              -1.0 / 1307674368000, 1.0 / 355687428096000),
                       r);
}
[[gnu::always_inline]] inline double cos_series(double r) {
  return horner(r * r, 1.0, -1.0 / 2, 1.0 / 24, -1.0 / 720, 1.0 / 40320, -1.0 / 3628800, 1.0 / 479001600,
                -1.0 / 87178291200, 1.0 / 20922789888000);
}

/// sin(quadrant π/2 + r); of `turns` more quadrants.
[[gnu::always_inline]] inline double sin(const Reduced& x, std::uint64_t turns) {
  const std::uint64_t quadrant = x.quadrant + turns;
  const double value = quadrant & 1 ? cos_series(x.r) : sin_series(x.r);
  return quadrant & 2 ? -value : value;
}

/// x >= 0: below 1/32 by its series, the rest of which is below x^13 / 256.
[[gnu::always_inline]] inline double tanh(double x) {
  const double z = x * x;
  const double series = x * horner(z, 1.0, -1.0 / 3, 2.0 / 15, -17.0 / 315, 62.0 / 2835, -1382.0 / 155925);
  const double t = exp(-2 * (x < 300 ? x : 300));
  return x < 0x1p-5 ? series : (1 - t) / (1 + t);
}

[[gnu::always_inline]] inline double sigmoid(double x) {
  const double size = x < 0 ? -x : x, t = exp(-(size < 600 ? size : 600));
  return (x < 0 ? t : 1.0) / (1 + t);
}

[[gnu::always_inline]] inline double rsqrt(double x) { return 1 / __builtin_sqrt(x); }

}  // namespace assay::quick
