#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "arith/dual.hpp"
#include "oracle/logarithm.hpp"
#include "oracle/sas/attention_gradients.hpp"
#include "oracle/sas/score_gradients.hpp"
#include "properties/sas/inputs.hpp"
#include "properties/sas/moving.hpp"
#include "properties/source.hpp"

namespace assay::sas {

/// Which inputs of a head move.
struct Moving {
  bool q = false, k = false, v = false, scores = false;
};

/// Gradients of one head with respect to its inputs; gates and scores [Tq, blocks].
template <class K>
struct HeadGradients {
  AttentionGradients<K> attention;
  Matrix<K> log_gates, scores;
};

/// A head with everything free, a direction of its inputs, and the adjoint dO, dL of its results. The derivative of
/// ⟨dO, o⟩ + ⟨dL, L⟩ by dual numbers and ⟨gradient, direction⟩ by the closed form must agree: one direction tests a
/// whole gradient. Powers of logits and scores are free, so exp is any function that is its own derivative.
template <class K>
struct GradientTrial {
  GateRule rule;
  std::size_t Tk, Tq, d, dv, block_size;
  std::vector<QueryPlace> places;
  std::vector<BlockSet> selected;
  Matrix<K> q, k, v;
  K scale;
  K kappa{1};  ///< ln b, where logits are logarithms to a base b
  Matrix<K> logit_powers, score_powers;
  Matrix<K> q_direction, k_direction, v_direction, score_direction;
  Matrix<K> d_output;
  std::vector<K> d_lse;

  GradientTrial(Source<K>& from, const GateRule& gate_rule, const Moving& moves)
      : rule(gate_rule),
        Tk(from.size("Tk", 1, 5)),
        Tq(from.size("Tq", 1, static_cast<std::int64_t>(std::min<std::size_t>(Tk, 3)))),
        d(from.size("d", 1, 2)),
        dv(from.size("dv", 1, 2)),
        block_size(from.size("block_size", 1, 3)) {
    for (std::size_t t = 0; t < Tq; ++t) {
      places.push_back({Tk - Tq + t, block_size});
      selected.push_back(drawn_blocks(from, places[t].history()));
    }
    const std::size_t blocks = places.back().history();
    q = from.values(Tq, d), k = from.values(Tk, d), v = from.values(Tk, dv);
    scale = from.value();
    logit_powers = drawn_powers(from, Tq, Tk), score_powers = drawn_powers(from, Tq, blocks);
    q_direction = tangent(from, moves.q, Tq, d), k_direction = tangent(from, moves.k, Tk, d);
    v_direction = tangent(from, moves.v, Tk, dv), score_direction = tangent(from, moves.scores, Tq, blocks);
    d_output = from.values(Tq, dv), d_lse = from.values(Tq);
  }

  static Matrix<K> tangent(Source<K>& from, bool moves, std::size_t rows, std::size_t cols) {
    return moves ? from.values(rows, cols) : Matrix<K>(rows, cols);
  }

  /// Whether row t attends to token i.
  bool attends(std::size_t t, std::size_t i) const {
    if (i > places[t].t) return false;
    return i >= places[t].current_begin() || rule.scope == Scope::full ||
           std::ranges::binary_search(selected[t], i / block_size);
  }

  Query<Logarithm<K>> query(std::size_t t) const {
    return {places[t], resting_scores<K>(logit_powers.row(t).first(places[t].visible())),
            resting_scores<K>(score_powers.row(t).first(places[t].history()))};
  }
  Query<Logarithm<Dual<K>>> moving_query(std::size_t t) const {
    const auto moved_q = moving(q, q_direction), moved_k = moving(k, k_direction);
    std::vector<K> rates;
    for (std::size_t i = 0; i < places[t].visible(); ++i)
      rates.push_back(kappa * scale * dot<Dual<K>>(moved_q.row(t), moved_k.row(i)).tangent);
    const std::size_t C = places[t].history();
    return {places[t], moving_scores<K>(logit_powers.row(t).first(rates.size()), rates),
            moving_scores<K>(score_powers.row(t).first(C), score_direction.row(t).first(C))};
  }

  /// What row t attends to while everything moves. A straight-through gate rests, and counts as if its softmax moved
  /// it.
  std::vector<Term<Logarithm<Dual<K>>>> moving_terms(std::size_t t) const {
    const auto x = moving_query(t);
    auto terms = training_terms(x, selected[t], rule);
    if (rule.form == GateForm::continuous) return terms;
    const auto g = gates(std::span<const Logarithm<Dual<K>>>(x.s), rule.normalisation);
    for (auto& term : terms)
      if (term.token < places[t].current_begin()) term.factor.tangent = g[term.token / block_size].tangent;
    return terms;
  }

  /// ⟨dO, ȯ⟩ + ⟨dL, L̇⟩ of the forward `attend` on moving inputs, L to the base of the logits.
  template <class Attend>
  K by_duals(Attend attend) const {
    const Matrix<Dual<K>> moved_v = moving(v, v_direction);
    K sum(0);
    for (std::size_t t = 0; t < Tq; ++t) {
      const auto result = attend(moving_terms(t), moved_v);
      sum = sum + d_lse[t] * (result.lse.power.tangent / (kappa * result.lse.power.value));
      for (std::size_t j = 0; j < dv; ++j) sum = sum + d_output(t, j) * result.o[j].tangent;
    }
    return sum;
  }
  K by_duals() const {
    return by_duals([](const auto& terms, const auto& moved_v) { return attention(terms, moved_v); });
  }

  /// As the backward pass has them, from each row's terms and LSE.
  RowWeights<K> weights() const {
    std::vector<std::vector<Term<Logarithm<K>>>> rows;
    std::vector<Logarithm<K>> lse;
    for (std::size_t t = 0; t < Tq; ++t) {
      rows.push_back(training_terms(query(t), selected[t], rule));
      lse.push_back(lse_of(rows[t]));
    }
    return recomputed_weights<Logarithm<K>>(rows, lse, Tk);
  }
  std::vector<K> deltas(const RowWeights<K>& w) const { return row_deltas<K>(w.product() * v, d_output, d_lse); }

  HeadGradients<K> closed_form() const {
    const RowWeights<K> w = weights();
    HeadGradients<K> g;
    g.attention = attention_gradients<K>(q, k, v, scale, w, deltas(w), d_output);
    g.log_gates = log_gate_gradients<K>(g.attention, w, rule.position, places);
    g.scores = Matrix<K>(Tq, score_powers.cols());
    const Matrix<K> d_gates = history_sums(g.attention.factors, places);
    for (std::size_t t = 0; t < Tq; ++t) {
      const auto row =
          rule.form == GateForm::continuous
              ? score_gradients_of_log_gates<K>(row_gates(t), of_history(g.log_gates, t), rule.normalisation)
              : score_gradients<K>(row_gates(t), of_history(d_gates, t));
      std::ranges::copy(row, g.scores.row(t).begin());
    }
    return g;
  }
  std::vector<K> row_gates(std::size_t t) const {
    const auto s = query(t).s;
    return gates(std::span<const Logarithm<K>>(s), rule.normalisation);
  }
  std::span<const K> of_history(const Matrix<K>& of_blocks, std::size_t t) const {
    return of_blocks.row(t).first(places[t].history());
  }

  K along(const HeadGradients<K>& g) const {
    return paired(g.attention.q, q_direction) + paired(g.attention.k, k_direction) +
           paired(g.attention.v, v_direction) + paired(g.scores, score_direction);
  }
};

/// The default rule: inner softmax gates, sparse scope.
template <class K>
GradientTrial<K> inner_trial(Source<K>& from) {
  return {from, {}, {}};
}

/// A row's Z has degree 2 in powers, once the Σ e^s of its gates (or the 1 + e^s of a sigmoid's two history blocks) is
/// cleared, o's numerator 2 more; derivatives add a direction and the degree 2 of c q; dO or dL one. Over the square of
/// Z and of the gates' denominators a row stays within 2 (4 + 2 + 4) + 3 + 1; three rows have their own denominators.
constexpr std::uint32_t head_degree = 3 * (2 * (4 + 2 + 4) + 3 + 1);

}  // namespace assay::sas
