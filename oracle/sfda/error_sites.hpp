#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "oracle/matrix.hpp"

namespace assay::sfda {

/// y += a x. One pair of arrays a loop: more are not proven apart, and no vectors are used.
inline void add_multiple(std::span<double> y, double a, std::span<const double> x) {
  for (std::size_t j = 0; j < y.size(); ++j) y[j] += a * x[j];
}

/// What roundings may do to the columns of one row: an output, or a row of the state.
struct RowError {
  std::vector<double> worst;      ///< every rounding against us, one-sided ones included
  std::vector<double> one_sided;  ///< of `worst`, what does not average out
  std::vector<double> square;     ///< of the independent roundings

  explicit RowError(std::size_t columns) : worst(columns), one_sided(columns), square(columns) {}

  /// Adds another row's errors as they are met with a coefficient of this size.
  void add(const RowError& other, double coefficient = 1) {
    add_multiple(worst, coefficient, other.worst);
    add_multiple(one_sided, coefficient, other.one_sided);
    add_multiple(square, coefficient * coefficient, other.square);
  }

  /// By Hoeffding, but for one row in e^32 / 2.
  double likely(std::size_t j) const { return one_sided[j] + 8 * std::sqrt(square[j]); }
};

/// Groups of roundings, one group a row: what each may add to a sum that meets the group with coefficient 1, by column.
struct ErrorSites {
  Matrix<double> worst, one_sided, square;
  bool any_one_sided = false;  ///< whether there is anything in one_sided

  ErrorSites(std::size_t groups, std::size_t columns)
      : worst(groups, columns), one_sided(groups, columns), square(groups, columns) {}

  /// Adds independent roundings of at most `size`, and those that err to one side.
  void add(std::size_t group, std::size_t column, double size, double one_sided_size = 0) {
    add_correlated(group, column, size, size, one_sided_size);
  }

  /// The same for many roundings of `size` together whose root sum of squares is `root`.
  void add_correlated(std::size_t group, std::size_t column, double size, double root, double one_sided_size = 0) {
    worst(group, column) += size + one_sided_size;
    one_sided(group, column) += one_sided_size;
    any_one_sided = any_one_sided || one_sided_size != 0;
    square(group, column) += root * root;
  }

  /// What group number `group` adds to a row that meets it with this coefficient.
  void add_to(RowError& row, std::size_t group, double coefficient) const {
    if (coefficient == 0) return;
    add_multiple(row.worst, coefficient, worst.row(group));
    if (any_one_sided) add_multiple(row.one_sided, coefficient, one_sided.row(group));
    add_multiple(row.square, coefficient * coefficient, square.row(group));
  }
};

}  // namespace assay::sfda
