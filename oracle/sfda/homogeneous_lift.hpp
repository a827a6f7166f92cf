#pragma once

#include <algorithm>
#include <cstddef>

#include "oracle/matrix.hpp"
#include "oracle/scalar.hpp"
#include "oracle/sfda/control.hpp"

namespace assay::sfda {

/// φ(x) = (x, 1), for each column of x.
/// Source: [SFDA-notes] s3.6, against [SFDA] problems D.1 and D.5.
template <Scalar K>
Matrix<K> lifted(const Matrix<K>& x) {
  Matrix<K> result(x.rows() + 1, x.cols(), K(1));
  for (std::size_t i = 0; i < x.rows(); ++i) std::ranges::copy(x.row(i), result.row(i).begin());
  return result;
}

/// Ã = [[A, b], [0, 1]], so that Ã φ(x) = φ(A x + b): d + 1 coordinates and β = 0.
/// Source: [SFDA-notes] s3.6.
/// Domain: A [d, d], b [d, 1].
template <Scalar K>
Dense<K> lifted_control(const Matrix<K>& A, const Matrix<K>& b) {
  const std::size_t d = A.rows();
  require_shape(A, d, d, "A");
  require_shape(b, d, 1, "b");
  Matrix<K> lift(d + 1, d + 1);
  for (std::size_t i = 0; i < d; ++i) {
    std::ranges::copy(A.row(i), lift.row(i).begin());
    lift(i, d) = b(i, 0);
  }
  lift(d, d) = K(1);
  return {std::move(lift)};
}

}  // namespace assay::sfda
