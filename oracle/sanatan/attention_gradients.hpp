#pragma once

#include <cstddef>
#include <utility>

#include "oracle/matrix.hpp"
#include "oracle/sanatan/attention.hpp"
#include "oracle/scalar.hpp"

namespace assay::sanatan {

/// Gradients of the parallel form with respect to its scores [T, T] and v [T, dv].
template <Scalar K>
struct AttentionGradients {
  Matrix<K> scores;
  Matrix<K> v;
};

/// With a_tj = w_tj / (D_t + ε) and o_t the output, for j ≤ t:
///   dv_j = Σ_{t ≥ j} a_tj dO_t
///   ds_tj = p (s_tj / c)^{p−1} / c · ⟨dO_t, v_j − o_t⟩ / (D_t + ε)
/// Source: chain rule on [SANATAN] s3.4-3.5 eq. 8.
/// Where the model clips, the caller multiplies ds by the marks of open scores.
/// Domain: as attention. Error: exact in exact arithmetic; ⟨dO, v − o⟩ cancels when v_j is close to o_t.
template <Scalar K>
AttentionGradients<K> attention_gradients(const Matrix<K>& scores, const Matrix<K>& v, const WeightRule<K>& rule,
                                          const Matrix<K>& d_output) {
  const std::size_t T = v.rows();
  require_shape(scores, T, T, "scores");
  require_shape(d_output, T, v.cols(), "d_output");
  const Readout<K> sums = weighted_sums(causal_weights(scores, rule), v);
  const Matrix<K> o = normalised(sums, rule.epsilon);
  AttentionGradients<K> d{Matrix<K>(T, T), Matrix<K>(T, v.cols())};
  for (std::size_t t = 0; t < T; ++t) {
    const K denominator = sums.denominator[t] + rule.epsilon;
    for (std::size_t j = 0; j <= t; ++j) {
      const K base = scores(t, j) / rule.scale;
      const K below = integer_power(base, rule.power - 1);
      const K a = below * base / denominator;
      K along(0);
      for (std::size_t i = 0; i < v.cols(); ++i) {
        d.v(j, i) = d.v(j, i) + a * d_output(t, i);
        along = along + d_output(t, i) * (v(j, i) - o(t, i));
      }
      d.scores(t, j) = K(rule.power) * below / rule.scale * along / denominator;
    }
  }
  return d;
}

/// dΦ(q_t) = Σ_j ds_tj Φ(k_j) and dΦ(k_j) = Σ_t ds_tj Φ(q_t).
/// Source: from s = ⟨Φ(q), Φ(k)⟩.
/// Domain: ds [Tq, Tk], φ of one width. Error: that of the sums.
template <Scalar K>
std::pair<Matrix<K>, Matrix<K>> score_gradients(const Matrix<K>& d_scores, const Matrix<K>& phi_q,
                                                const Matrix<K>& phi_k) {
  return {d_scores * phi_k, transpose(d_scores) * phi_q};
}

}  // namespace assay::sanatan
