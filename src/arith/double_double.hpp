#pragma once

#include <compare>
#include <cstdint>
#include <ostream>
#include <string>
#include <type_traits>

#include "arith/integer.hpp"

namespace assay {

/// hi + lo with hi = RN(hi + lo): 106 bits.
///
/// Algorithms and relative bounds, u = 2^-53:
///   [JMP17] M. Joldes, J.-M. Muller, V. Popescu, Tight and rigorous error bounds for basic building blocks of
///           double-word arithmetic, ACM TOMS 44(2), 2017
///   [MR22]  J.-M. Muller, L. Rideau, Formalization of double-word arithmetic, and comments on [JMP17], ACM TOMS 48(1)
///   [LLM23] V. Lefevre, N. Louvet, J.-M. Muller, J. Picot, L. Rideau, Accurate calculation of Euclidean norms using
///           double-word arithmetic, ACM TOMS 49(1), 2023
/// They hold while nothing overflows and no exact product is lost below the normal range: see bounds.md, section 1.
/// NaN spreads; an infinite operand gives NaN.
///
/// Every operation is inlined without fail, so that a file compiled for a wider machine leaves no copy of it behind.
struct DoubleDouble {
  double hi = 0;
  double lo = 0;

  DoubleDouble() = default;
  [[gnu::always_inline]] constexpr DoubleDouble(double x) : hi(x) {}
  /// The caller promises hi = RN(hi + lo).
  [[gnu::always_inline]] constexpr DoubleDouble(double high, double low) : hi(high), lo(low) {}
  /// Exact.
  template <Integer I>
  [[gnu::always_inline]] constexpr DoubleDouble(I n) {
    using Wide = std::conditional_t<std::is_signed_v<I>, std::int64_t, std::uint64_t>;
    const double high = static_cast<double>(Wide{n} >> 32) * 0x1p32;
    const double low = static_cast<double>(Wide{n} & Wide{0xffffffff});
    hi = high + low;
    lo = low - (hi - high);
  }

  /// The nearest double.
  [[gnu::always_inline]] explicit constexpr operator double() const { return hi; }

  /// The order of the values, as both are normalised.
  constexpr auto operator<=>(const DoubleDouble&) const = default;

  static std::string arithmetic_name() { return "double-double"; }
};

namespace double_double_bound {
inline constexpr double unit = 0x1p-53;
inline constexpr double sum = (3 + 0x1p-49) * unit * unit;      ///< [JMP17] Alg. 6: 3u^2 + 13u^3
inline constexpr double sum_with_double = 2 * unit * unit;      ///< [JMP17] Alg. 4
inline constexpr double product = 4 * unit * unit;              ///< [MR22] Thm 2.8 for [JMP17] Alg. 12
inline constexpr double product_with_double = 2 * unit * unit;  ///< [JMP17] Alg. 9
inline constexpr double quotient = 9.8125 * unit * unit;        ///< [JMP17] Alg. 18: 9.8u^2
inline constexpr double square_root = 25 * unit * unit / 8;     ///< [LLM23] Alg. 8: 25/8 u^2
inline constexpr double underflow = 0x1p-1072;                  ///< absolute, per product: bounds.md section 1
}  // namespace double_double_bound

/// a + b = hi + lo exactly. [JMP17] Alg. 2.
[[gnu::always_inline]] constexpr inline DoubleDouble two_sum(double a, double b) {
  const double s = a + b;
  const double b_part = s - a;
  return {s, (a - (s - b_part)) + (b - b_part)};
}

/// a + b = hi + lo exactly when a = 0 or |a| >= |b|. [JMP17] Alg. 1.
[[gnu::always_inline]] constexpr inline DoubleDouble fast_two_sum(double a, double b) {
  const double s = a + b;
  return {s, b - (s - a)};
}

/// a b = hi + lo exactly unless lo underflows. [JMP17] Alg. 3.
[[gnu::always_inline]] constexpr inline DoubleDouble two_product(double a, double b) {
  const double p = a * b;
  return {p, __builtin_fma(a, b, -p)};
}

[[gnu::always_inline]] constexpr inline DoubleDouble operator-(DoubleDouble a) { return {-a.hi, -a.lo}; }

/// [JMP17] Alg. 6, AccurateDWPlusDW.
[[gnu::always_inline]] constexpr inline DoubleDouble operator+(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble s = two_sum(a.hi, b.hi);
  const DoubleDouble t = two_sum(a.lo, b.lo);
  const DoubleDouble v = fast_two_sum(s.hi, s.lo + t.hi);
  return fast_two_sum(v.hi, t.lo + v.lo);
}
[[gnu::always_inline]] constexpr inline DoubleDouble operator-(DoubleDouble a, DoubleDouble b) { return a + -b; }

/// [JMP17] Alg. 4, DWPlusFP.
[[gnu::always_inline]] constexpr inline DoubleDouble operator+(DoubleDouble a, double b) {
  const DoubleDouble s = two_sum(a.hi, b);
  return fast_two_sum(s.hi, a.lo + s.lo);
}
[[gnu::always_inline]] constexpr inline DoubleDouble operator+(double a, DoubleDouble b) { return b + a; }
[[gnu::always_inline]] constexpr inline DoubleDouble operator-(DoubleDouble a, double b) { return a + -b; }
[[gnu::always_inline]] constexpr inline DoubleDouble operator-(double a, DoubleDouble b) { return -b + a; }

/// [JMP17] Alg. 12, DWTimesDW3.
[[gnu::always_inline]] constexpr inline DoubleDouble operator*(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble p = two_product(a.hi, b.hi);
  const double t = __builtin_fma(a.hi, b.lo, a.lo * b.lo);
  return fast_two_sum(p.hi, p.lo + __builtin_fma(a.lo, b.hi, t));
}

/// [JMP17] Alg. 9, DWTimesFP3.
[[gnu::always_inline]] constexpr inline DoubleDouble operator*(DoubleDouble a, double b) {
  const DoubleDouble p = two_product(a.hi, b);
  return fast_two_sum(p.hi, __builtin_fma(a.lo, b, p.lo));
}
[[gnu::always_inline]] constexpr inline DoubleDouble operator*(double a, DoubleDouble b) { return b * a; }

/// [JMP17] Alg. 18, DWDivDW3, its last product by Alg. 12 instead of Alg. 11, whose bound is larger.
[[gnu::always_inline]] constexpr inline DoubleDouble operator/(DoubleDouble a, DoubleDouble b) {
  const double t = 1 / b.hi;
  const DoubleDouble e = fast_two_sum(__builtin_fma(-b.hi, t, 1.0), -(b.lo * t));
  return a * (e * t + t);
}

/// [LLM23] Alg. 8, SQRTDWtoDW. sqrt(0) = 0; NaN for x < 0.
[[gnu::always_inline]] inline DoubleDouble sqrt(DoubleDouble x) {
  const double s = __builtin_sqrt(x.hi);
  const double residual = __builtin_fma(-s, s, x.hi);
  return s == 0 ? DoubleDouble(s) : fast_two_sum(s, (x.lo + residual) / (2 * s));
}

[[gnu::always_inline]] constexpr inline DoubleDouble& operator+=(DoubleDouble& a, DoubleDouble b) { return a = a + b; }
[[gnu::always_inline]] constexpr inline DoubleDouble& operator-=(DoubleDouble& a, DoubleDouble b) { return a = a - b; }
[[gnu::always_inline]] constexpr inline DoubleDouble& operator*=(DoubleDouble& a, DoubleDouble b) { return a = a * b; }
[[gnu::always_inline]] constexpr inline DoubleDouble& operator/=(DoubleDouble& a, DoubleDouble b) { return a = a / b; }

[[gnu::always_inline]] constexpr inline DoubleDouble abs(DoubleDouble x) { return x.hi < 0 ? -x : x; }

/// "0x1.8p+0 + 0x1p-60": the value exactly, in hexadecimal.
std::string exact_text(DoubleDouble x);
std::ostream& operator<<(std::ostream& out, DoubleDouble x);

}  // namespace assay
