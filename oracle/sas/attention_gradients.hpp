#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "oracle/matrix.hpp"
#include "oracle/sas/attention.hpp"
#include "oracle/scalar.hpp"
#include "oracle/steps.hpp"

namespace assay::sas {

/// What a backward pass recomputes of the forward: p_ti and the factor f_ti of token i's value in row t, both [Tq, Tk];
/// p = 0 where a row has no term. o = (p ∘ f) V.
template <Scalar K>
struct RowWeights {
  Matrix<K> p, f;

  Matrix<K> product() const {
    Matrix<K> result = p;
    for (std::size_t t = 0; t < p.rows(); ++t)
      for (std::size_t i = 0; i < p.cols(); ++i) result(t, i) = p(t, i) * f(t, i);
    return result;
  }
};

/// p_ti = e^{x_ti − L_t} from the terms of every row and its saved LSE. A row without terms is 0 and its L not read.
/// Source: [SAS] alg. 4; [SAS-notes] s2.8.
/// Domain: tokens below Tk. Error: a difference and an exp a term; the error of L is a factor of its whole row.
template <class Z>
RowWeights<PowerOf<Z>> recomputed_weights(std::span<const std::vector<Term<Z>>> rows, std::span<const Z> lse,
                                          std::size_t Tk) {
  using K = PowerOf<Z>;
  require_length(lse.size(), rows.size(), "lse");
  RowWeights<K> weights{Matrix<K>(rows.size(), Tk), Matrix<K>(rows.size(), Tk)};
  for (std::size_t t = 0; t < rows.size(); ++t) {
    const std::vector<K> p = probabilities(rows[t], lse[t]);
    for (std::size_t n = 0; n < p.size(); ++n) {
      const std::size_t token = rows[t][n].token;
      if (token >= Tk)
        throw OutsideDomain("token " + std::to_string(token) + ": there are " + std::to_string(Tk) + " keys");
      weights.p(t, token) = p[n];
      weights.f(t, token) = rows[t][n].factor;
    }
  }
  return weights;
}

/// Weights of a part of the keys, made with its own L_i, as those of whole rows: e^{L_i − L} P_i.
/// Source: own, on [SAS] alg. 4.
/// Domain: an L_i and an L a row; of a row without terms in the part neither is read. Error: a difference, an exp and a
/// product.
template <class Z>
RowWeights<PowerOf<Z>> rescaled(RowWeights<PowerOf<Z>> part, std::span<const Z> part_lse, std::span<const Z> lse) {
  using K = PowerOf<Z>;
  require_length(part_lse.size(), part.p.rows(), "part_lse");
  require_length(lse.size(), part.p.rows(), "lse");
  for (std::size_t t = 0; t < part.p.rows(); ++t) {
    const auto row = part.p.row(t);
    if (std::ranges::all_of(row, [](const K& p) { return p == K(0); })) continue;
    const K share = exp_score(Z(part_lse[t] - lse[t]));
    for (K& p : row) p = share * p;
  }
  return part;
}

/// Δ_t = ⟨dO_t, o_t⟩ − dL_t for the gradient of ⟨dO, o⟩ + ⟨dL, L⟩.
/// Source: [SAS] alg. 4; [SAS-notes] s2.8; the term dL is own.
/// Domain: o, dO [Tq, dv], dL [Tq]. Error: one inner product and a difference.
template <Scalar K>
std::vector<K> row_deltas(const Matrix<K>& o, const Matrix<K>& d_output, std::span<const K> d_lse) {
  require_shape(d_output, o.rows(), o.cols(), "d_output");
  require_length(d_lse.size(), o.rows(), "d_lse");
  std::vector<K> deltas;
  for (std::size_t t = 0; t < o.rows(); ++t) deltas.push_back(dot<K>(d_output.row(t), o.row(t)) - d_lse[t]);
  return deltas;
}

/// Gradients of one head.
template <Scalar K>
struct AttentionGradients {
  Matrix<K> q, k, v;
  Matrix<K> logits;   ///< dS [Tq, Tk], of the logits with their bias
  Matrix<K> factors;  ///< [Tq, Tk]
};

/// With S = c Q Kᵀ + bias:
///   dV = (P ∘ f)ᵀ dO,  df = P ∘ dO Vᵀ,  dS = P ∘ (f ∘ dO Vᵀ − Δ),  dQ = c dS K,  dK = c dSᵀ Q
/// Source: [SAS] alg. 4 where f = 1, c = sm_scale; [SAS-notes] s2.8. With factors: chain rule, own.
/// K and V may be a part of the keys, as long as P and Δ are those of whole rows: dQ is then a summand.
/// Domain: q [Tq, d], k [Tk, d], v [Tk, dv]. Error: exact in exact arithmetic; f ⟨dO, v⟩ − Δ cancels where v is near o.
template <Scalar K>
AttentionGradients<K> attention_gradients(const Matrix<K>& q, const Matrix<K>& k, const Matrix<K>& v, const K& scale,
                                          const RowWeights<K>& weights, std::span<const K> deltas,
                                          const Matrix<K>& d_output) {
  const Matrix<K>&P = weights.p, &f = weights.f;
  require_shape(P, q.rows(), k.rows(), "P");
  require_shape(f, q.rows(), k.rows(), "f");
  require_length(deltas.size(), q.rows(), "deltas");
  AttentionGradients<K> d;
  d.logits = d.factors = Matrix<K>(P.rows(), P.cols());
  for (std::size_t t = 0; t < P.rows(); ++t) {
    for (std::size_t i = 0; i < P.cols(); ++i) {
      const K along = dot<K>(d_output.row(t), v.row(i));
      d.factors(t, i) = P(t, i) * along;
      d.logits(t, i) = P(t, i) * (f(t, i) * along - deltas[t]);
    }
  }
  d.q = scale * (d.logits * k);
  d.k = scale * (transpose(d.logits) * q);
  d.v = transpose(weights.product()) * d_output;
  return d;
}

/// The same where logits and L are logarithms to a base b other than e, as a kernel with exp2 has them: with κ = ln b,
/// x = c Q Kᵀ + bias and L = log_b Σ b^x,
///   Δ = ⟨dO, o⟩ − dL / κ,  dx = κ dS,  dQ = c dx K,  dK = c dxᵀ Q
/// Source: chain rule on [SAS] alg. 4, own.
/// Domain: κ ≠ 0. Error: a quotient a row, a product an entry of dS.
template <Scalar K>
AttentionGradients<K> attention_gradients_in_base(const K& kappa, const Matrix<K>& q, const Matrix<K>& k,
                                                  const Matrix<K>& v, const K& scale, const RowWeights<K>& weights,
                                                  const Matrix<K>& o, std::span<const K> d_lse,
                                                  const Matrix<K>& d_output) {
  if (has_no_inverse(kappa)) throw ZeroDenominator("base 1: ln b = 0");
  std::vector<K> of_natural;
  for (const K& d : d_lse) of_natural.push_back(d / kappa);
  const std::vector<K> deltas = row_deltas<K>(o, d_output, of_natural);
  AttentionGradients<K> d = attention_gradients<K>(q, k, v, K(kappa * scale), weights, deltas, d_output);
  d.logits = kappa * d.logits;
  return d;
}

/// Σ_{i ∈ B_m} y_ti of every history block of every row, [Tq, blocks]; 0 from the row's current block on.
/// Inner gates: d log G_tm with y = dS. Outer gates: dG_tm with y = df, straight-through ones too, and d log G_tm with
/// y = f ∘ df.
/// Source: [SAS] alg. 4, eq. 5; [SAS-notes] s2.8.
/// An unselected block has P = 0, so exactly 0 here.
/// Domain: a place a row. Error: that of the sum.
template <Scalar K>
Matrix<K> history_sums(const Matrix<K>& y, std::span<const QueryPlace> places) {
  require_length(places.size(), y.rows(), "places");
  std::size_t blocks = 0;
  for (const QueryPlace& place : places) blocks = std::max(blocks, place.history());
  Matrix<K> sums(y.rows(), blocks);
  for (std::size_t t = 0; t < y.rows(); ++t)
    for (std::size_t i = 0; i < places[t].current_begin() && i < y.cols(); ++i)
      sums(t, i / places[t].block_size) = sums(t, i / places[t].block_size) + y(t, i);
  return sums;
}

/// d log G [Tq, blocks] of gates inside or outside.
/// Source, domain, error: history_sums.
template <Scalar K>
Matrix<K> log_gate_gradients(const AttentionGradients<K>& d, const RowWeights<K>& weights, GatePosition position,
                             std::span<const QueryPlace> places) {
  if (position == GatePosition::inner) return history_sums(d.logits, places);
  return history_sums(RowWeights<K>{weights.f, d.factors}.product(), places);
}

}  // namespace assay::sas
