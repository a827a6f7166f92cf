#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "oracle/matrix.hpp"
#include "oracle/scalar.hpp"
#include "oracle/sfda/partial_permutation.hpp"
#include "oracle/sfda/token_update.hpp"

namespace assay::sfda {

/// Z↓: row i + 1 of Z↓ S is row i of S; the first row is zero, the last row of S is lost.
/// Source: [SFDA] Thm 5.11; [SFDA-notes] s3.4.
template <Scalar K>
PartialPermutation<K> shift_down(std::size_t h) {
  PartialPermutation<K> Z{std::vector<std::optional<std::size_t>>(h)};
  for (std::size_t i = 1; i < h; ++i) Z.source[i] = i - 1;
  return Z;
}

/// Z↑: row i of Z↑ S is row i + 1 of S; the last row is zero.
/// Source: [SFDA] Thm 5.11; [SFDA-notes] s3.4.
template <Scalar K>
PartialPermutation<K> shift_up(std::size_t h) {
  PartialPermutation<K> Z{std::vector<std::optional<std::size_t>>(h)};
  for (std::size_t i = 0; i + 1 < h; ++i) Z.source[i] = i + 1;
  return Z;
}

/// e_i of d coordinates.
template <Scalar K>
std::vector<K> unit_vector(std::size_t d, std::size_t i) {
  if (i >= d) throw OutsideDomain("coordinate " + std::to_string(i) + " of " + std::to_string(d) + ": needs one below");
  std::vector<K> e(d, K(0));
  e[i] = K(1);
  return e;
}

/// Z↓ S + e_1 a*: the row at the bottom of a full stack is lost.
/// Source: [SFDA] Thm 5.11; [SFDA-notes] s3.4.
/// Domain: S [h, dv], h ≥ 1, a [dv].
template <Scalar K>
Matrix<K> pushed(const Matrix<K>& S, std::span<const K> a) {
  const std::vector<K> top = unit_vector<K>(S.rows(), 0);
  return shift_down<K>(S.rows()).times(S) + write<K>(top, a, RealOf<K>(1));
}

/// Z↑ S: of an empty stack, the empty stack.
/// Source: [SFDA] Thm 5.11; [SFDA-notes] s3.4.
template <Scalar K>
Matrix<K> popped(const Matrix<K>& S) {
  return shift_up<K>(S.rows()).times(S);
}

}  // namespace assay::sfda
