#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "oracle/matrix.hpp"
#include "oracle/scalar.hpp"
#include "oracle/sfda/control.hpp"
#include "oracle/sfda/recurrence.hpp"
#include "oracle/sfda/token_update.hpp"
#include "oracle/sfda/wy.hpp"

namespace assay::sfda {

/// What a chunk does to any state: S ↦ P S + B, P by its factors.
/// Source: [SFDA] Thm 4.4; [SFDA-notes] s2.5.
template <Scalar K, Control<K> C>
struct ChunkSummary {
  WyFactors<K, C> factors;
  Matrix<K> B;
};

template <Scalar K, Control<K> C>
ChunkSummary<K, C> empty_summary(std::size_t d, std::size_t dv) {
  return {empty_factors<K, C>(d), Matrix<K>(d, dv)};
}

/// The summary with token t at its end: factors by their recursion, B̄_t = A_t B̄_{t−1} + B_t from the zero state.
/// Source: [SFDA] Thm 4.4, App. B; [SFDA-notes] s2.5.
template <Scalar K, Control<K> C>
ChunkSummary<K, C> extended(const ChunkSummary<K, C>& summary, const Tokens<K, C>& x, std::size_t t) {
  const std::span<const K> k = x.k.row(t);
  return {extended(summary.factors, x.lambda[t], tied<K>(x.lambda[t], k, x.beta[t])),
          corrected(summary.B, x.lambda[t], k, x.v.row(t), x.beta[t])};
}

/// The summary of tokens begin … end − 1.
template <Scalar K, Control<K> C>
ChunkSummary<K, C> summarised(const Tokens<K, C>& x, std::size_t begin, std::size_t end) {
  ChunkSummary<K, C> summary = empty_summary<K, C>(x.k.cols(), x.v.cols());
  for (std::size_t t = begin; t < end; ++t) summary = extended(summary, x, t);
  return summary;
}

/// M X of a lower triangular M.
template <Scalar K>
Matrix<K> lower_times(const Matrix<K>& M, const Matrix<K>& X) {
  require_shape(X, M.cols(), X.cols(), "right factor");
  Matrix<K> result(M.rows(), X.cols());
  for (std::size_t i = 0; i < M.rows(); ++i)
    for (std::size_t k = 0; k <= i; ++k)
      for (std::size_t j = 0; j < X.cols(); ++j) result(i, j) = result(i, j) + M(i, k) * X(k, j);
  return result;
}

/// Γ S − Y (M (W* S)): project to t coordinates, mix, map back; Y M W* is never formed.
/// Source: [SFDA] Thm 4.4, alg. 1; [SFDA-notes] s2.5.
template <Scalar K, Control<K> C>
Matrix<K> carried(const WyFactors<K, C>& f, const Matrix<K>& S) {
  return f.gamma.times(S) - f.Y * lower_times(f.M, adjoint(f.W) * S);
}

/// P* X = Γ* X − W (M* (Y* X)): reads through the chunk, and gradients of the state.
/// Source: [SFDA] Thm 4.5; [SFDA-notes] s2.5.
template <Scalar K, Control<K> C>
Matrix<K> carried_back(const WyFactors<K, C>& f, const Matrix<K>& X) {
  return f.gamma.adjoint_times(X) - f.W * (adjoint(f.M) * (adjoint(f.Y) * X));
}

/// S_out = Γ S_in − Y (M (W* S_in)) + B.
/// Source: [SFDA] Thm 4.4, alg. 1; [SFDA-notes] s2.5.
/// Domain: S_in [d, dv].
template <Scalar K, Control<K> C>
Matrix<K> applied(const ChunkSummary<K, C>& summary, const Matrix<K>& S) {
  return carried(summary.factors, S) + summary.B;
}

/// o_r = S_0* (P_r* q_r) + B_r* q_r from the summary of the prefix that ends at r.
/// Source: [SFDA] Thm 4.5; [SFDA-notes] s2.5.
template <Scalar K, Control<K> C>
std::vector<K> prefix_output(const ChunkSummary<K, C>& prefix, const Matrix<K>& S, std::span<const K> q) {
  const Matrix<K> o = adjoint(carried_back(prefix.factors, column(q))) * S + adjoint(column(q)) * prefix.B;
  std::vector<K> output;
  for (const K& entry : o.row(0)) output.push_back(conj(entry));
  return output;
}

/// The recurrence by chunks: every output from its prefix's factors, the state across a boundary from the chunk's.
/// Source: [SFDA] Thm 4.4-4.5, alg. 1; [SFDA-notes] s2.5.
/// Domain: chunk lengths that add up to T; a length of 0 is a chunk without tokens.
template <Scalar K, Control<K> C>
Run<K> chunked(const Tokens<K, C>& x, Matrix<K> S, std::span<const std::size_t> lengths) {
  require_tokens(x, S);
  require_length(std::accumulate(lengths.begin(), lengths.end(), std::size_t{0}), x.length(), "chunks together");
  Matrix<K> o(x.length(), S.cols());
  std::size_t t = 0;
  for (const std::size_t length : lengths) {
    ChunkSummary<K, C> prefix = empty_summary<K, C>(S.rows(), S.cols());
    for (const std::size_t end = t + length; t < end; ++t) {
      prefix = extended(prefix, x, t);
      std::ranges::copy(prefix_output<K>(prefix, S, x.q.row(t)), o.row(t).begin());
    }
    S = applied(prefix, S);
  }
  return {std::move(o), std::move(S)};
}

}  // namespace assay::sfda
