#pragma once

#include <cmath>

#include "arith/rounding.hpp"

namespace assay {

/// A float of Precision <= 11 bits with exponents Emin .. Emax, -120 <= Emin <= Emax <= 120, whose operations round
/// once to nearest even. Small enough that millions of cases, or all of them, attack a bound.
template <int Precision, int Emin, int Emax>
class ToyFloat {
  static_assert(2 <= Precision && Precision <= 11 && -120 <= Emin && Emin <= Emax && Emax <= 120);

 public:
  static constexpr FloatFormat format{"toy", Precision, Emin, Emax};

  constexpr ToyFloat() = default;
  /// x rounded.
  explicit constexpr ToyFloat(double x) : value_(round_to(format, x)) {}
  /// hi + lo rounded.
  constexpr ToyFloat(double hi, double lo) : value_(round_to(format, hi, lo)) {}

  constexpr double value() const { return value_; }

  friend constexpr ToyFloat operator-(ToyFloat x) { return ToyFloat(-x.value_); }
  friend constexpr ToyFloat operator+(ToyFloat x, ToyFloat y) { return {x.value_, y.value_}; }
  friend constexpr ToyFloat operator-(ToyFloat x, ToyFloat y) { return {x.value_, -y.value_}; }
  friend constexpr ToyFloat operator*(ToyFloat x, ToyFloat y) { return ToyFloat(x.value_ * y.value_); }
  friend constexpr auto operator<=>(ToyFloat x, ToyFloat y) { return x.value_ <=> y.value_; }
  friend constexpr bool operator==(ToyFloat x, ToyFloat y) { return x.value_ == y.value_; }

  // A quotient or root lies on a boundary between two values, or farther from it than 2^-(2 Precision + 3) of itself,
  // so rounding it to double first changes nothing.
  friend constexpr ToyFloat operator/(ToyFloat x, ToyFloat y) { return ToyFloat(x.value_ / y.value_); }
  friend ToyFloat sqrt(ToyFloat x) { return ToyFloat(std::sqrt(x.value_)); }

  /// x y + z: the product is exact in double.
  friend constexpr ToyFloat fma(ToyFloat x, ToyFloat y, ToyFloat z) { return {x.value_ * y.value_, z.value_}; }

 private:
  double value_ = 0;
};

}  // namespace assay
