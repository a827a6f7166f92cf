#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "oracle/matrix.hpp"
#include "oracle/scalar.hpp"
#include "oracle/sfda/chunk.hpp"
#include "oracle/sfda/control.hpp"
#include "oracle/sfda/recurrence.hpp"
#include "oracle/sfda/token_update.hpp"

namespace assay::sfda {

/// S ↦ A S + B.
/// Source: [SFDA] s2.2, eq. 10; [SFDA-notes] s2.6.
template <Scalar K>
struct Affine {
  Matrix<K> A, B;

  friend bool operator==(const Affine&, const Affine&) = default;
};

/// (I, 0).
template <Scalar K>
Affine<K> identity_map(std::size_t d, std::size_t dv) {
  return {identity_matrix<K>(d), Matrix<K>(d, dv)};
}

/// (A_2, B_2) ∘ (A_1, B_1) = (A_2 A_1, A_2 B_1 + B_2): the second step carries what the first one wrote.
/// Source: [SFDA] s2.2, eq. 10, Lemma A.2; [SFDA-notes] s2.6.
template <Scalar K>
Affine<K> composed(const Affine<K>& second, const Affine<K>& first) {
  return {second.A * first.A, second.A * first.B + second.B};
}

template <Scalar K>
Matrix<K> applied(const Affine<K>& map, const Matrix<K>& S) {
  return map.A * S + map.B;
}

/// The map of token t.
template <Scalar K, Control<K> C>
Affine<K> token_map(const Tokens<K, C>& x, std::size_t t) {
  return {transition<K>(x.lambda[t], x.k.row(t), x.beta[t]), write<K>(x.k.row(t), x.v.row(t), x.beta[t])};
}

/// The map of a chunk, from its factors.
template <Scalar K, Control<K> C>
Affine<K> chunk_map(const ChunkSummary<K, C>& summary) {
  return {transfer(summary.factors), summary.B};
}

/// Maps in the order in which they act, composed one after the other.
/// Domain: at least one map.
template <Scalar K>
Affine<K> composed_in_order(std::span<const Affine<K>> maps) {
  if (maps.empty()) throw OutsideDomain("0 maps: a composition needs at least one");
  Affine<K> result = maps.front();
  for (const Affine<K>& map : maps.subspan(1)) result = composed(map, result);
  return result;
}

/// The same, halves first: a tree of depth log2 n.
/// Source: [SFDA] s2.2; [SFDA-notes] s2.6.
/// Domain: at least one map.
template <Scalar K>
Affine<K> composed_as_tree(std::span<const Affine<K>> maps) {
  if (maps.size() < 2) return composed_in_order(maps);
  const std::size_t half = maps.size() / 2;
  return composed(composed_as_tree(maps.subspan(half)), composed_as_tree(maps.first(half)));
}

/// Two chunks as one superchunk: factors merged, B = P_2 B_1 + B_2.
/// Source: [SFDA] s6; [SFDA-notes] s3.1.
template <Scalar K, Control<K> C>
ChunkSummary<K, C> merged(const ChunkSummary<K, C>& second, const ChunkSummary<K, C>& first) {
  return {merged(second.factors, first.factors), applied(second, first.B)};
}

}  // namespace assay::sfda
