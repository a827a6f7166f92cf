#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "arith/complex.hpp"
#include "oracle/matrix.hpp"
#include "oracle/scalar.hpp"
#include "oracle/sfda/control.hpp"
#include "oracle/sfda/token_update.hpp"

namespace assay::sfda {

/// L [t, t], strictly lower: L_ij = r_i* Λ_{i−1} … Λ_{j+1} u_j for j < i.
/// Source: own; what M of [SFDA] Thm 4.2 inverts.
/// Domain: as many corrections as controls.
template <Scalar K, Control<K> C>
Matrix<K> interactions(std::span<const C> lambda, std::span<const Correction<K>> corrections) {
  require_length(corrections.size(), lambda.size(), "corrections");
  const std::size_t t = lambda.size();
  Matrix<K> L(t, t);
  for (std::size_t j = 0; j < t; ++j) {
    Matrix<K> carried = corrections[j].u;
    for (std::size_t i = j + 1; i < t; ++i) {
      L(i, j) = (adjoint(corrections[i].r) * carried)(0, 0);
      carried = lambda[i].times(carried);
    }
  }
  return L;
}

/// (I + L)^{-1} of a strictly lower triangular L, by forward substitution: no division.
/// Source: [SFDA] Prop. 6.4; [SFDA-notes] s3.3.
template <Scalar K>
Matrix<K> unit_lower_inverse(const Matrix<K>& L) {
  require_shape(L, L.rows(), L.rows(), "L");
  Matrix<K> inverse = identity_matrix<K>(L.rows());
  for (std::size_t i = 0; i < L.rows(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      for (std::size_t j = 0; j <= k; ++j) inverse(i, j) = inverse(i, j) - L(i, k) * inverse(k, j);
  return inverse;
}

/// The second convention of the factors: Y′ holds carried keys without β, and M′ = (I + D_β L′)^{-1} D_β with
/// L′_ij = r_i* Λ_{i−1} … Λ_{j+1} k_j. Then Y′ M′ = Y M, and the diagonal of M′ is β, not 1.
/// Source: [SFDA] Prop. 6.4; [SFDA-notes] s3.3; its relation to Thm 4.2 is own.
/// Domain: L′ strictly lower triangular, β [t].
template <Scalar K>
Matrix<K> keyed_inverse(const Matrix<K>& L, std::span<const RealOf<K>> beta) {
  require_length(beta.size(), L.rows(), "beta");
  const auto weighted = [&](Matrix<K> m) {
    for (std::size_t i = 0; i < m.rows(); ++i)
      for (K& entry : m.row(i)) entry = K(beta[i]) * entry;
    return m;
  };
  return unit_lower_inverse(weighted(L)) * weighted(identity_matrix<K>(L.rows()));
}

}  // namespace assay::sfda
