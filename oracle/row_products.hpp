#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "oracle/columns.hpp"
#include "oracle/matrix.hpp"

namespace assay {

/// The rows of a matrix in blocks of four columns, zeros beyond the last.
class BlockedRows {
 public:
  explicit BlockedRows(const Matrix<double>& rows);

  std::size_t blocks() const { return blocks_; }  ///< of a row
  std::span<const Columns> row(std::size_t t) const { return std::span(entries_).subspan(t * blocks_, blocks_); }

 private:
  std::size_t blocks_;
  std::vector<Columns> entries_;
};

/// Rows first ... end - 1 of a matrix.
struct RowRange {
  std::size_t first, end;

  std::size_t count() const { return end - first; }
};

/// Scalar products in double of rows of x with rows of y, equally long: [of x, of y]. Each is four chains of fused
/// multiply-adds, added in pairs: wrong by at most (blocks + 2) u Σ |x y|, to first order in u.
Matrix<double> row_products(const BlockedRows& x, RowRange of_x, const BlockedRows& y, RowRange of_y);

}  // namespace assay
