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

  /// x / y: a double quotient and the sign of what it leaves say on which side of a boundary x / y lies.
  friend ToyFloat operator/(ToyFloat x, ToyFloat y) {
    const double quotient = x.value_ / y.value_;
    return rounded(quotient, std::fma(-quotient, y.value_, x.value_) / y.value_);
  }

  friend ToyFloat sqrt(ToyFloat x) {
    const double root = std::sqrt(x.value_);
    return rounded(root, std::fma(-root, root, x.value_) / (2 * root));
  }

  /// x y + z: the product is exact in double.
  friend constexpr ToyFloat fma(ToyFloat x, ToyFloat y, ToyFloat z) { return {x.value_ * y.value_, z.value_}; }

 private:
  static ToyFloat rounded(double hi, double rest) { return {hi, std::isfinite(rest) ? rest : 0.0}; }

  double value_ = 0;
};

}  // namespace assay
