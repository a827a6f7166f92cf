#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "oracle/matrix.hpp"
#include "oracle/sfda/recurrence.hpp"

namespace assay::sfda {

/// Tokens between two restarts of the products of decays.
constexpr std::size_t sub_block = 16;

/// Inner products of tokens' rows x_t with earlier keys as they have decayed: Σ_i conj(x_ti) Γ_ts,i k_si for s < t, or
/// s ≤ t, with the sizes of their terms.
template <class K>
struct Scores {
  Matrix<K> value;       ///< [n, n]
  Matrix<double> sizes;  ///< Σ_i |terms|
  Matrix<K> left;        ///< [n, d]: Γ_tb* x_t, b the start of t's sub-block: the factor that meets earlier sub-blocks
};

/// A chunk of n tokens in the form that the kernel computes, everything exact up to double arithmetic. With y the
/// conjugate of the kernel's U and s_0 a column of the state before the chunk,
///
///     y = M r,   M = (I + L)^{-1},   r_t = β_t (conj(v_t) - K̃_t* s_0),   conj(o_t) = Q̃_t* s_0 + Σ_{s ≤ t} A_ts y_s,
///     s_C = G ∘ s_0 + Σ_s K̂_s y_s
///
/// K̃_t = Γ_t* k_t, Q̃_t = Γ_t* q_t, K̂_s = Γ_{C,s} k_s, L_ts = β_t k_t* Γ_ts k_s, A_ts = q_t* Γ_ts k_s.
/// Source: [SFDA] Thm 4.4-4.5 with M in closed form, Prop. 6.4.
template <class K>
struct ChunkFactors {
  Matrix<K> k, K_tilde, Q_tilde, K_hat;  ///< [n, d]
  std::vector<K> G;                      ///< [d]
  std::vector<double> beta;              ///< [n]
  Scores<K> L, A;
  Matrix<K> M;                ///< [n, n]
  Matrix<K> R, U, o;          ///< [n, dv]: r, y and conj(o)
  Matrix<K> S, S_after;       ///< [d, dv]
  std::vector<Matrix<K>> W;   ///< [d, dv] before each sub-block: Σ_s Γ_bs k_s y_s of the chunk's tokens so far
  bool decays_round = false;  ///< whether some λ is neither 0 nor 1

  std::size_t tokens() const { return K_tilde.rows(); }
};

/// Tokens begin … end - 1 from the state S.
template <class K>
ChunkFactors<K> chunk_factors(const Tokens<K>& x, std::size_t begin, std::size_t end, Matrix<K> S);

extern template ChunkFactors<double> chunk_factors(const Tokens<double>&, std::size_t, std::size_t, Matrix<double>);
extern template ChunkFactors<Cx<double>> chunk_factors(const Tokens<Cx<double>>&, std::size_t, std::size_t,
                                                       Matrix<Cx<double>>);

}  // namespace assay::sfda
