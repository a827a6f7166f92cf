#pragma once

#if __has_include(<flint/arb.h>)
#include <flint/arb.h>
#else
#include <arb.h>
#endif
#include <cstdint>
#include <ostream>
#include <string>
#include <type_traits>

#include <mpfr.h>

#include "arith/double_double.hpp"
#include "arith/integer.hpp"

namespace assay {

/// Bits of the midpoints that this thread's Arb operations give, for as long as the object lives.
class ArbPrecision {
 public:
  static constexpr slong initial = 168;  ///< as MPFR at 50 digits

  explicit ArbPrecision(slong bits);
  ArbPrecision(const ArbPrecision&) = delete;
  ArbPrecision& operator=(const ArbPrecision&) = delete;
  ~ArbPrecision();

  static slong bits();

 private:
  slong outer_;
};

/// A real ball of the Arb library (part of FLINT since 3.0): arbitrary precision, proven enclosures, all elementary
/// functions. Conversions from doubles, pairs and integers are exact. Division by a ball that contains zero gives the
/// whole line, as does the logarithm or root of a ball that reaches below its domain: no certificate is built on it.
class Arb {
 public:
  Arb() { arb_init(x_); }
  Arb(double x) : Arb() { arb_set_d(x_, x); }
  Arb(DoubleDouble x);
  Arb(DoubleDouble mid, double radius);
  /// Exact.
  explicit Arb(mpfr_srcptr x);
  explicit Arb(arb_srcptr x) : Arb() { arb_set(x_, x); }
  template <Integer I>
  Arb(I n) : Arb() {
    if constexpr (std::is_signed_v<I>)
      arb_set_si(x_, n);
    else
      arb_set_ui(x_, n);
  }
  Arb(const Arb& other) : Arb() { arb_set(x_, other.x_); }
  Arb(Arb&& other) noexcept : Arb() { arb_swap(x_, other.x_); }
  Arb& operator=(const Arb& other);
  Arb& operator=(Arb&& other) noexcept;
  ~Arb() { arb_clear(x_); }

  static Arb pi();

  Arb operator-() const;
  friend Arb operator+(const Arb& a, const Arb& b);
  friend Arb operator-(const Arb& a, const Arb& b);
  friend Arb operator*(const Arb& a, const Arb& b);
  friend Arb operator/(const Arb& a, const Arb& b);
  Arb& operator+=(const Arb& b) { return *this = *this + b; }
  Arb& operator-=(const Arb& b) { return *this = *this - b; }
  Arb& operator*=(const Arb& b) { return *this = *this * b; }
  Arb& operator/=(const Arb& b) { return *this = *this / b; }

  friend Arb exp(const Arb& x);
  friend Arb log(const Arb& x);
  friend Arb sqrt(const Arb& x);
  friend Arb sin(const Arb& x);
  friend Arb cos(const Arb& x);
  friend Arb tanh(const Arb& x);
  friend Arb abs(const Arb& x);

  /// The same ball, which says nothing about the numbers in it.
  friend bool operator==(const Arb& a, const Arb& b) { return arb_equal(a.x_, b.x_) != 0; }

  /// Every point of a lies below every point of b.
  friend bool certainly_less(const Arb& a, const Arb& b);

  bool contains(double x) const;

  /// The midpoint as a pair, each part the nearest double to what is left.
  DoubleDouble mid() const;
  /// At least the radius.
  double radius() const;
  /// At least |x| for every point x.
  double upper_magnitude() const;

  friend std::ostream& operator<<(std::ostream& out, const Arb& x);

  static std::string arithmetic_name() { return "Arb"; }

 private:
  arb_t x_;
};

}  // namespace assay
