#pragma once

#include <cstddef>
#include <utility>

#include "oracle/matrix.hpp"
#include "oracle/scalar.hpp"

namespace assay {

/// The rank over a field, by elimination.
template <Scalar F>
std::size_t rank(Matrix<F> m) {
  std::size_t rank = 0;
  for (std::size_t column = 0; column < m.cols() && rank < m.rows(); ++column) {
    std::size_t pivot = rank;
    while (pivot < m.rows() && m(pivot, column) == F(0)) ++pivot;
    if (pivot == m.rows()) continue;
    for (std::size_t j = column; j < m.cols(); ++j) std::swap(m(pivot, j), m(rank, j));
    const F inverse = F(1) / m(rank, column);
    for (std::size_t i = rank + 1; i < m.rows(); ++i) {
      const F factor = m(i, column) * inverse;
      if (factor == F(0)) continue;
      for (std::size_t j = column; j < m.cols(); ++j) m(i, j) = m(i, j) - factor * m(rank, j);
    }
    ++rank;
  }
  return rank;
}

}  // namespace assay
