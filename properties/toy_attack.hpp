#pragma once

#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>

#include "oracle/matrix.hpp"
#include "oracle/rounding_units.hpp"
#include "problem/law.hpp"
#include "properties/adversary.hpp"

/// Attacks on error bounds: a formula of a few numbers in a format of few bits, every rounding turned against it.
namespace assay {

/// Rounding to either neighbour errs by up to one unit in the last place: twice the unit of rounding to nearest.
inline RoundingUnits directed_units(const FloatFormat& format) {
  return {.u = 2 * format.unit_roundoff(), .eta = 2 * format.eta()};
}

/// One of 5, 6, 8 or 11 bits, of at least so many.
const FloatFormat& draw_toy_format(Draw& draw, int least_bits = 5);

/// How a toy case is filled: numbers of one size, or one number far above all others, to which each rounds; or numbers
/// at powers of two, where a unit in the last place is most of a number.
struct Mix {
  const FloatFormat& format;
  bool one_sign, flat;
  int spread;  ///< exponents lie in [-spread, 0]

  static Mix drawn(const FloatFormat& format, Draw& draw) {
    constexpr int spreads[] = {0, 2, 12};
    return {format, draw.below(2) == 0, draw.below(2) == 0, spreads[draw.below(3)]};
  }

  double number(Draw& draw) const {
    const double fraction = static_cast<double>(draw.below(flat ? 2 : std::uint64_t{1} << format.fraction_bits()));
    const int exponent = -static_cast<int>(draw.below(static_cast<std::uint64_t>(spread) + 1));
    const double size = std::ldexp(1 + std::ldexp(fraction, -format.fraction_bits()), exponent);
    return !one_sign && draw.below(2) == 0 ? -size : size;
  }

  /// The first number is one half to 2^spread times the others.
  Matrix<double> matrix(std::size_t rows, std::size_t cols, Draw& draw) const {
    Matrix<double> m(rows, cols);
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < cols; ++j) m(i, j) = number(draw) * (i == 0 ? 1 : std::ldexp(1, -spread));
    return m;
  }
};

template <class K>
Matrix<K> in(const Matrix<double>& m) {
  Matrix<K> result(m.rows(), m.cols());
  for (std::size_t i = 0; i < m.rows(); ++i)
    for (std::size_t j = 0; j < m.cols(); ++j) result(i, j) = K(m(i, j));
  return result;
}

/// What was attacked.
struct AttackedShape {
  const FloatFormat& format;
  std::size_t tokens, width;
};

/// The largest share of a bound that errors reach where underflow is no part of it, and the first error beyond it.
struct Reached {
  double highest = 0;
  std::string excess;

  void note(const AdverseError& adverse, double bound, const AttackedShape& shape);
};

using Attack = void (*)(Draw&, Reached&);

/// Errors in so many cases stay below the bound and come to 30 % of it.
Law attack_on(std::string_view name, std::string_view statement, Attack attack, int cases, bool exhaustive);

}  // namespace assay
