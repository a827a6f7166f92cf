#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "oracle/logarithm.hpp"
#include "oracle/matrix.hpp"
#include "oracle/sas/probabilities.hpp"
#include "oracle/scalar.hpp"
#include "oracle/steps.hpp"

namespace assay::sas {

/// Gradients of one head: of q [Tq, d], k [Tk, d], v [Tk, dv] and of the logits S [Tq, Tk], gate included.
template <Scalar K>
struct AttentionGradients {
  Matrix<K> q, k, v;
  Matrix<K> logits;
};

/// Δ_t = ⟨dO_t, o_t⟩ − dL_t for the gradient of ⟨dO, o⟩ + ⟨dL, L⟩, L the log-sum-exp of a row's logits.
/// Source: [SAS-notes] s2.8, alg. 4; the term dL is own.
/// Domain: o, dO [Tq, dv], dL [Tq]. Error: one inner product of dv and a difference.
template <Scalar K>
std::vector<K> row_deltas(const Matrix<K>& o, const Matrix<K>& d_output, std::span<const K> d_lse) {
  require_shape(d_output, o.rows(), o.cols(), "d_output");
  require_length(d_lse.size(), o.rows(), "d_lse");
  std::vector<K> deltas;
  for (std::size_t t = 0; t < o.rows(); ++t) deltas.push_back(dot<K>(d_output.row(t), o.row(t)) - d_lse[t]);
  return deltas;
}

namespace detail {

/// dQ = c dS K and dK = c dSᵀ Q, from logits S = c Q Kᵀ + what does not depend on them.
template <Scalar K>
AttentionGradients<K> through_logits(const Matrix<K>& q, const Matrix<K>& k, const K& scale, Matrix<K> d_logits,
                                     Matrix<K> d_v) {
  return {scale * (d_logits * k), scale * (transpose(d_logits) * q), std::move(d_v), std::move(d_logits)};
}

}  // namespace detail

/// Inner gates, or none:
///   dV = Pᵀ dO,  dS = P ∘ (dO Vᵀ − Δ),  dQ = c dS K,  dK = c dSᵀ Q
/// for o = P V, P the softmax of S = c Q Kᵀ + log G over what a row attends to, and 0 elsewhere.
/// Source: [SAS] alg. 4, c = sm_scale; [SAS-notes] s2.8.
/// K and V may be a part of the keys, as long as P and Δ are those of whole rows: dQ is then a summand.
/// Domain: P [Tq, Tk], Δ [Tq]. Error: exact in exact arithmetic; ⟨dO, v⟩ − Δ cancels where v is close to o.
template <Scalar K>
AttentionGradients<K> attention_gradients(const Matrix<K>& q, const Matrix<K>& k, const Matrix<K>& v, const K& scale,
                                          const Matrix<K>& P, std::span<const K> deltas, const Matrix<K>& d_output) {
  require_shape(P, q.rows(), k.rows(), "P");
  require_length(deltas.size(), q.rows(), "deltas");
  Matrix<K> d_logits(P.rows(), P.cols());
  for (std::size_t t = 0; t < P.rows(); ++t)
    for (std::size_t i = 0; i < P.cols(); ++i)
      d_logits(t, i) = P(t, i) * (dot<K>(d_output.row(t), v.row(i)) - deltas[t]);
  return detail::through_logits(q, k, scale, std::move(d_logits), transpose(P) * d_output);
}

/// Outer gates: o_t = Σ_i P_ti γ_ti v_i, P the softmax of c Q Kᵀ alone, γ_ti the gate of token i's block:
///   dV = (P ∘ γ)ᵀ dO,  dS = P ∘ (γ ∘ dO Vᵀ − Δ),  dQ = c dS K,  dK = c dSᵀ Q
/// Source: chain rule on [SAS-notes] s2.4; own.
/// The gates' own gradient is not in dS: outer_log_gate_gradients.
/// Domain: P, γ [Tq, Tk], Δ [Tq]. Error: as above.
template <Scalar K>
AttentionGradients<K> outer_attention_gradients(const Matrix<K>& q, const Matrix<K>& k, const Matrix<K>& v,
                                                const K& scale, const Matrix<K>& P, const Matrix<K>& token_gates,
                                                std::span<const K> deltas, const Matrix<K>& d_output) {
  require_shape(P, q.rows(), k.rows(), "P");
  require_shape(token_gates, P.rows(), P.cols(), "token_gates");
  require_length(deltas.size(), q.rows(), "deltas");
  Matrix<K> d_logits(P.rows(), P.cols()), gated(P.rows(), P.cols());
  for (std::size_t t = 0; t < P.rows(); ++t) {
    for (std::size_t i = 0; i < P.cols(); ++i) {
      gated(t, i) = P(t, i) * token_gates(t, i);
      d_logits(t, i) = P(t, i) * (token_gates(t, i) * dot<K>(d_output.row(t), v.row(i)) - deltas[t]);
    }
  }
  return detail::through_logits(q, k, scale, std::move(d_logits), transpose(gated) * d_output);
}

}  // namespace assay::sas
