#pragma once

#include <algorithm>
#include <cmath>
#include <compare>
#include <limits>
#include <ostream>
#include <string>

#include "arith/rounding.hpp"

namespace assay {

/// A double that remembers whether what led to it was exact, and what its terms were: the sum of their absolute values
/// and a power of two that divides every one of them. A partial sum of the terms, in whatever order and association, is
/// a multiple of that unit and no larger than that size, so it is exact in a format of p bits if size ≤ 2^p unit.
class FlaggedNumber {
 public:
  FlaggedNumber() = default;
  FlaggedNumber(int x) : FlaggedNumber(static_cast<double>(x)) {}
  explicit FlaggedNumber(double x) : value_(x), size_(std::abs(x)), unit_(unit_of(x)) {}

  static std::string arithmetic_name() { return "double with an inexact flag"; }

  double value() const { return value_; }
  bool inexact() const { return inexact_; }

  /// Whether sums of the terms in any order are values of the format.
  bool sums_fit(const FloatFormat& format) const {
    const double least = format.least_subnormal();
    return size_ == 0 ||
           (size_ <= format.largest() && unit_ >= least && size_ <= power_of_two(format.precision) * unit_);
  }

  /// The value alone, as one term; the flag is raised unless it is a value of the format.
  FlaggedNumber rounded(const FloatFormat& format) const {
    FlaggedNumber x(value_);
    x.inexact_ = inexact_ || round_to(format, value_) != value_;
    return x;
  }

  /// The same number; the flag is raised unless its terms can be summed in any order.
  FlaggedNumber summed(const FloatFormat& format) const {
    FlaggedNumber x = *this;
    x.inexact_ = inexact_ || !sums_fit(format);
    return x;
  }

  friend FlaggedNumber operator-(const FlaggedNumber& a) {
    FlaggedNumber x = a;
    x.value_ = -a.value_;
    return x;
  }
  friend FlaggedNumber operator+(const FlaggedNumber& a, const FlaggedNumber& b) {
    const double sum = a.value_ + b.value_, of_b = sum - a.value_;
    const double rest = (a.value_ - (sum - of_b)) + (b.value_ - of_b);  // Knuth's two-sum
    return {sum, a.size_ + b.size_, std::min(a.unit_, b.unit_), a.inexact_ || b.inexact_ || rest != 0};
  }
  friend FlaggedNumber operator-(const FlaggedNumber& a, const FlaggedNumber& b) { return a + (-b); }
  friend FlaggedNumber operator*(const FlaggedNumber& a, const FlaggedNumber& b) {
    const double product = a.value_ * b.value_;
    const bool rounds = std::fma(a.value_, b.value_, -product) != 0;
    return {product, a.size_ * b.size_, a.unit_ * b.unit_, a.inexact_ || b.inexact_ || rounds};
  }
  friend FlaggedNumber operator/(const FlaggedNumber& a, const FlaggedNumber& b) {
    const double quotient = a.value_ / b.value_;
    FlaggedNumber x(quotient);
    x.inexact_ = a.inexact_ || b.inexact_ || std::fma(-quotient, b.value_, a.value_) != 0;
    return x;
  }
  /// Exact at 0 and −∞ alone; cos and sin at 0.
  friend FlaggedNumber exp(const FlaggedNumber& x) {
    return of_function(std::exp(x.value_), x, x.value_ == 0 || x.value_ == -std::numeric_limits<double>::infinity());
  }
  friend FlaggedNumber cos(const FlaggedNumber& x) { return of_function(std::cos(x.value_), x, x.value_ == 0); }
  friend FlaggedNumber sin(const FlaggedNumber& x) { return of_function(std::sin(x.value_), x, x.value_ == 0); }

  friend bool operator==(const FlaggedNumber& a, const FlaggedNumber& b) { return a.value_ == b.value_; }
  friend auto operator<=>(const FlaggedNumber& a, const FlaggedNumber& b) { return a.value_ <=> b.value_; }
  FlaggedNumber& operator+=(const FlaggedNumber& b) { return *this = *this + b; }
  FlaggedNumber& operator*=(const FlaggedNumber& b) { return *this = *this * b; }

  friend std::ostream& operator<<(std::ostream& out, const FlaggedNumber& x) { return out << x.value_; }

 private:
  FlaggedNumber(double value, double size, double unit, bool inexact)
      : value_(value), size_(size), unit_(unit), inexact_(inexact) {}

  static FlaggedNumber of_function(double value, const FlaggedNumber& x, bool exact) {
    FlaggedNumber y(value);
    y.inexact_ = x.inexact_ || !exact;
    return y;
  }

  /// The largest power of two that divides x; infinite for 0, which every power divides.
  static double unit_of(double x) {
    if (x == 0 || !std::isfinite(x)) return std::numeric_limits<double>::infinity();
    int exponent = 0;
    double fraction = std::frexp(std::abs(x), &exponent);
    int bits = 0;
    for (; fraction != std::floor(fraction); fraction *= 2) ++bits;
    return std::ldexp(1.0, exponent - bits);
  }

  double value_ = 0;
  double size_ = 0;
  double unit_ = std::numeric_limits<double>::infinity();
  bool inexact_ = false;
};

}  // namespace assay
