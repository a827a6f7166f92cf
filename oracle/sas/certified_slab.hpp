#pragma once

#include <cstddef>
#include <vector>

#include "arith/windowed_sums.hpp"
#include "oracle/certified_value.hpp"
#include "oracle/matrix.hpp"

namespace assay::sas {

/// Rows begin ... begin + count - 1 of a matrix, by rows or transposed, and what a radius of a sum of its rows is in
/// units of: nothing where a column is 0.
struct Slab {
  ScaledRows rows;
  std::vector<double> scale;  ///< of a lane

  Slab(const Matrix<double>& m, std::size_t begin, std::size_t count, bool transposed);
};

/// Numbers of a pair of tiles with their radii [row, lane].
struct PairValues {
  LaneArray values;
  Matrix<double> radii;

  PairValues(std::size_t rows, std::size_t lanes) : values(rows, lanes), radii(rows, lanes) {}
  std::size_t rows() const { return radii.rows(); }
  std::size_t lanes() const { return radii.cols(); }
  void set(std::size_t row, std::size_t lane, const CertifiedValue& x) {
    values.set(row, lane, x.value);
    radii(row, lane) = x.radius;
  }
};

PairValues transposed(const PairValues& pairs);

using Sums = Matrix<CertifiedValue>;

/// Σ_f w[r, f] x[f, j] with a radius that is relative to the largest weight of the row, however small that is.
RowSums relative_sums(LaneArray w, const Slab& x, const LaneArithmetic& lanes);

/// Adds Σ_f w[r, f] x[f, j] to rows first, first + 1, ... of `sums`.
void add_rows(Sums& sums, std::size_t first, const PairValues& w, const Slab& x, const LaneArithmetic& lanes);

}  // namespace assay::sas
