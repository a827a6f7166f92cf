#include "oracle/sas/certified_slab.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace assay::sas {
namespace {

constexpr double u2 = 0x1p-106;

ScaledRows scaled(const Matrix<double>& m, std::size_t begin, std::size_t count, bool transposed) {
  std::vector<double> entries;
  entries.reserve(count * m.cols());
  if (transposed)
    for (std::size_t i = 0; i < m.cols(); ++i)
      for (std::size_t t = 0; t < count; ++t) entries.push_back(m(begin + t, i));
  else
    for (std::size_t t = 0; t < count; ++t)
      for (const double x : m.row(begin + t)) entries.push_back(x);
  return transposed ? ScaledRows(m.cols(), count, entries) : ScaledRows(count, m.cols(), entries);
}

void multiply_row(LaneArray& a, std::size_t row, double by) {
  double *const hi = a.hi(row), *const lo = a.lo(row);
  for (std::size_t i = 0; i < a.lanes(); ++i) {
    hi[i] *= by;
    lo[i] *= by;
  }
}

/// A power of two that brings the largest entry of a row near 1; 0 for a row of zeros.
double factor_of_row(const LaneArray& w, std::size_t row) {
  double largest = 0;
  for (std::size_t i = 0; i < w.lanes(); ++i) largest = std::max(largest, std::abs(w.hi(row)[i]));
  return largest == 0 ? 0 : std::ldexp(1.0, -std::max(std::ilogb(largest), -960));
}

/// Σ_j radius_j |x_j| of a row of weights, in units of the slab's scales.
std::vector<double> moved(std::span<const double> radii, const Slab& x) {
  std::vector<double> sums(x.rows.stride(), 0);
  for (std::size_t j = 0; j < radii.size(); ++j) {
    const double* const row = x.rows.row(j);
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += radii[j] * std::abs(row[i]);
  }
  return sums;
}

/// Σ w x of one column, term by term: relative to its own terms, where those of other columns are far larger.
CertifiedValue sum_of_column(const PairValues& w, std::size_t row, const Slab& x, std::size_t column) {
  CertifiedValue sum;
  double size = 0;
  for (std::size_t j = 0; j < w.lanes(); ++j) {
    const DoubleDouble term = w.values.at(row, j) * (x.rows.row(j)[column] * x.rows.scale(column));
    sum.value = sum.value + term;
    size += std::abs(term.hi);
  }
  sum.radius = 8 * static_cast<double>(w.lanes() + 1) * u2 * size;
  return sum;
}

}  // namespace

Slab::Slab(const Matrix<double>& m, std::size_t begin, std::size_t count, bool transposed)
    : rows(scaled(m, begin, count, transposed)) {
  for (std::size_t lane = 0; lane < rows.lanes(); ++lane) {
    bool empty = true;
    for (std::size_t i = 0; i < rows.rows(); ++i) empty = empty && rows.row(i)[lane] == 0;
    scale.push_back(empty ? 0 : rows.scale(lane));
  }
}

PairValues transposed(const PairValues& pairs) {
  PairValues result(pairs.lanes(), pairs.rows());
  for (std::size_t i = 0; i < pairs.rows(); ++i)
    for (std::size_t j = 0; j < pairs.lanes(); ++j) result.set(j, i, {pairs.values.at(i, j), pairs.radii(i, j)});
  return result;
}

RowSums relative_sums(LaneArray w, const Slab& x, const LaneArithmetic& lanes) {
  std::vector<double> factors;
  for (std::size_t row = 0; row < w.rows(); ++row) {
    factors.push_back(factor_of_row(w, row));
    multiply_row(w, row, factors[row]);
  }
  RowSums sums = weighted_sums_of_rows(w, x.rows, lanes);
  for (std::size_t row = 0; row < w.rows(); ++row) {
    if (factors[row] == 0) {
      sums.radius[row] = 0;
      continue;
    }
    multiply_row(sums.sums, row, 1 / factors[row]);
    sums.radius[row] = sums.radius[row] / factors[row] + 0x1p-1060;
  }
  return sums;
}

void add_rows(Sums& sums, std::size_t first, const PairValues& w, const Slab& x, const LaneArithmetic& lanes) {
  const RowSums parts = relative_sums(w.values, x, lanes);
  for (std::size_t row = 0; row < w.rows(); ++row) {
    const std::span<CertifiedValue> into = sums.row(first + row);
    const std::vector<double> of_weights = moved(w.radii.row(row), x);
    for (std::size_t i = 0; i < into.size(); ++i) {
      CertifiedValue term{parts.sums.at(row, i), parts.radius[row] * x.scale[i]};
      if (term.radius > 0x1p-60 * std::abs(term.value.hi)) term = sum_of_column(w, row, x, i);
      into[i].value = into[i].value + term.value;
      into[i].radius += term.radius + of_weights[i] * (1 + 0x1p-40) * x.scale[i] + 4 * u2 * std::abs(into[i].value.hi);
    }
  }
}

}  // namespace assay::sas
