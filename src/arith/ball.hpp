#pragma once

#include <cmath>
#include <ostream>
#include <stdexcept>
#include <string>
#include <utility>

#include "arith/dd_elementary.hpp"
#include "arith/double_double.hpp"
#include "arith/integer.hpp"

namespace assay {

/// An enclosure: every real number within `radius` of `mid`. Each operation encloses the results of all pairs of points
/// of its operands: the midpoint carries the published bound of its algorithm into the radius, and every radius, a
/// handful of roundings, is enlarged by 1 + 2^-40 (bounds.md, section 6).
///
/// An overflow makes the radius a NaN; such a ball contains nothing, so no certificate is built on it.
class Ball {
 public:
  Ball() = default;
  Ball(double x) : mid_(x) {}
  Ball(DoubleDouble x) : mid_(x) {}
  template <Integer I>
  Ball(I n) : mid_(n) {}
  Ball(DoubleDouble mid, double radius) : mid_(mid), radius_(radius) {
    if (radius < 0) throw std::domain_error("ball of radius " + std::to_string(radius) + ": needs at least 0");
  }

  DoubleDouble mid() const { return mid_; }
  double radius() const { return radius_; }

  /// At least |x| for every point x.
  double upper_magnitude() const { return up(std::abs(mid_.hi) + radius_); }
  /// At most |x| for every point x, and never negative.
  double lower_magnitude() const { return std::fmax(0, down(std::abs(mid_.hi)) - up(radius_)); }

  Ball operator-() const { return Ball(-mid_, radius_); }

  friend Ball operator+(const Ball& a, const Ball& b) {
    const DoubleDouble m = a.mid_ + b.mid_;
    return Ball(m, up(a.radius_ + b.radius_ + double_double_bound::sum * std::abs(m.hi)));
  }
  friend Ball operator-(const Ball& a, const Ball& b) { return a + -b; }

  /// |xy - ab| <= |a| rb + ra (|b| + rb).
  friend Ball operator*(const Ball& a, const Ball& b) {
    const DoubleDouble m = a.mid_ * b.mid_;
    const double spread = std::abs(a.mid_.hi) * b.radius_ + a.radius_ * (std::abs(b.mid_.hi) + b.radius_);
    return Ball(m, up(spread + double_double_bound::product * std::abs(m.hi)) + underflow);
  }

  /// |x/y - a/b| <= (ra + |a/b| rb) / (|b| - rb). Throws std::domain_error when b contains zero or leaves
  /// [2^-900, 2^900] in magnitude.
  friend Ball operator/(const Ball& a, const Ball& b) {
    const double least = b.lower_magnitude();
    if (!(least >= smallest_divisor && b.upper_magnitude() <= 1 / smallest_divisor))
      throw std::domain_error("division by a ball that contains zero or leaves [2^-900, 2^900]");
    const DoubleDouble m = a.mid_ / b.mid_;
    const double quotient_error = double_double_bound::quotient * std::abs(m.hi) + underflow;
    const double spread = (a.radius_ + (std::abs(m.hi) + quotient_error) * b.radius_) / least;
    return Ball(m, up(spread + quotient_error));
  }

  Ball& operator+=(const Ball& b) { return *this = *this + b; }
  Ball& operator-=(const Ball& b) { return *this = *this - b; }
  Ball& operator*=(const Ball& b) { return *this = *this * b; }
  Ball& operator/=(const Ball& b) { return *this = *this / b; }

  /// |sqrt x - sqrt a| <= r / sqrt a. Throws std::domain_error when the ball reaches below 2^-900 and is not 0 itself.
  friend Ball sqrt(const Ball& x) {
    if (x.mid_.hi == 0 && x.radius_ == 0) return x;
    if (!(x.mid_.hi > 0 && x.lower_magnitude() >= smallest_divisor))
      throw std::domain_error("square root of a ball that reaches below 2^-900");
    const DoubleDouble m = sqrt(x.mid_);
    return Ball(m, up(x.radius_ / m.hi + double_double_bound::square_root * m.hi));
  }

  /// |e^x - e^a| <= e^a r e^r.
  friend Ball exp(const Ball& x) {
    const DoubleDouble m = exp(x.mid_);
    const double spread = (m.hi + double_double_bound::exp_absolute) * x.radius_ * exp(DoubleDouble(x.radius_)).hi;
    return Ball(m, up(spread + double_double_bound::exp * m.hi) + double_double_bound::exp_absolute);
  }

  /// |log x - log a| <= r / (a - r). Throws std::domain_error when the ball reaches zero or below.
  friend Ball log(const Ball& x) {
    const double least = x.lower_magnitude();
    if (!(x.mid_.hi > 0 && least > 0)) throw std::domain_error("logarithm of a ball that reaches zero or below");
    const DoubleDouble m = log(x.mid_);
    return Ball(m,
                up(x.radius_ / least + double_double_bound::log * std::abs(m.hi) + double_double_bound::log_absolute));
  }

  /// Sine, cosine and tanh change by at most r.
  friend Ball sin(const Ball& x) { return Ball(sin(x.mid_), up(x.radius_ + double_double_bound::sincos)); }
  friend Ball cos(const Ball& x) { return Ball(cos(x.mid_), up(x.radius_ + double_double_bound::sincos)); }
  friend Ball tanh(const Ball& x) {
    const DoubleDouble m = tanh(x.mid_);
    return Ball(m, up(x.radius_ + double_double_bound::tanh * std::abs(m.hi)) + underflow);
  }

  /// The same ball, which says nothing about the numbers in it.
  friend bool operator==(const Ball&, const Ball&) = default;

  friend Ball abs(const Ball& x) { return Ball(abs(x.mid_), x.radius_); }

  friend std::ostream& operator<<(std::ostream& out, const Ball& x) { return out << x.mid_ << " +- " << x.radius_; }

  static std::string arithmetic_name() { return "double-double ball"; }

 private:
  static constexpr double underflow = 0x1p-1070;
  static constexpr double smallest_divisor = 0x1p-900;

  static double up(double x) { return x * (1 + 0x1p-40); }
  static double down(double x) { return x * (1 - 0x1p-40); }

  DoubleDouble mid_;
  double radius_ = 0;
};

/// Every point of a lies below every point of b.
inline bool certainly_less(const Ball& a, const Ball& b) {
  const Ball difference = b - a;
  return difference.mid().hi > 0 && difference.lower_magnitude() > 0;
}

}  // namespace assay
