#pragma once

#include <cstddef>

#include "oracle/matrix.hpp"
#include "problem/draw.hpp"

namespace assay::sanatan {

/// Uniform on [-scale, scale), multiples of scale 2^-23.
template <class K>
Matrix<K> random_matrix(Draw& draw, std::size_t rows, std::size_t cols, K scale) {
  Matrix<K> m(rows, cols);
  for (std::size_t i = 0; i < rows; ++i)
    for (K& entry : m.row(i))
      entry =
          scale * static_cast<K>(static_cast<std::int64_t>(draw.below(1 << 24)) - (1 << 23)) / static_cast<K>(1 << 23);
  return m;
}

}  // namespace assay::sanatan
