#include "oracle/row_products.hpp"

#include <algorithm>
#include <array>

namespace assay {
namespace {

constexpr std::size_t rows_at_once = 8;  // their sums fill half of the registers and hide the latency of an addition

using Rows = std::array<const Columns*, rows_at_once>;

std::array<double, rows_at_once> products(const Columns* x, const Rows& y, std::size_t blocks) {
  Columns sums[rows_at_once] = {};
  for (std::size_t b = 0; b < blocks; ++b)
#pragma GCC unroll 8
    for (std::size_t i = 0; i < rows_at_once; ++i) sums[i] = multiply_add(x[b], y[i][b], sums[i]);
  std::array<double, rows_at_once> all;
  for (std::size_t i = 0; i < rows_at_once; ++i) all[i] = (sums[i][0] + sums[i][1]) + (sums[i][2] + sums[i][3]);
  return all;
}

}  // namespace

BlockedRows::BlockedRows(const Matrix<double>& rows) : blocks_(column_blocks(rows.cols())) {
  entries_.reserve(rows.rows() * blocks_);
  for (std::size_t t = 0; t < rows.rows(); ++t) {
    const std::vector<Columns> row = in_blocks(rows.row(t));
    entries_.insert(entries_.end(), row.begin(), row.end());
  }
}

Matrix<double> row_products(const BlockedRows& x, RowRange of_x, const BlockedRows& y, RowRange of_y) {
  Matrix<double> all(of_x.count(), of_y.count());
  for (std::size_t j = of_y.first; j < of_y.end; j += rows_at_once) {
    const std::size_t count = std::min(rows_at_once, of_y.end - j);
    Rows rows;
    for (std::size_t i = 0; i < rows_at_once; ++i) rows[i] = y.row(j + std::min(i, count - 1)).data();
    for (std::size_t t = of_x.first; t < of_x.end; ++t) {
      const auto part = products(x.row(t).data(), rows, x.blocks());
      std::copy_n(part.begin(), count, &all(t - of_x.first, j - of_y.first));
    }
  }
  return all;
}

}  // namespace assay
