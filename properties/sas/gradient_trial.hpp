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
#include "oracle/sas/block_gradients.hpp"
#include "oracle/sas/gates.hpp"
#include "oracle/sas/probabilities.hpp"
#include "oracle/sas/score_gradients.hpp"
#include "properties/source.hpp"

namespace assay::sas {

/// x moving along `tangent`, entry by entry.
template <class K>
Matrix<Dual<K>> moving(const Matrix<K>& x, const Matrix<K>& tangent) {
  Matrix<Dual<K>> result(x.rows(), x.cols());
  for (std::size_t i = 0; i < x.rows(); ++i)
    for (std::size_t j = 0; j < x.cols(); ++j) result(i, j) = Dual<K>(x(i, j), tangent(i, j));
  return result;
}
/// Scores, known by their powers, moving along `tangent`: (e^s)' = e^s s'.
template <class K>
std::vector<Logarithm<Dual<K>>> moving_scores(std::span<const K> powers, std::span<const K> tangent) {
  std::vector<Logarithm<Dual<K>>> result;
  for (std::size_t m = 0; m < powers.size(); ++m)
    result.push_back({chain(Dual<K>(K(0), tangent[m]), powers[m], powers[m])});
  return result;
}
template <class K>
std::vector<Logarithm<K>> resting_scores(std::span<const K> powers) {
  std::vector<Logarithm<K>> result;
  for (const K& power : powers) result.push_back({power});
  return result;
}

/// e^z of a logit or score z: positive over the rationals; z = 0 is among the listed points.
template <class K>
K some_power(Source<K>& from) {
  if (from.listed() && from.below(2) == 0) return K(1);
  for (;;) {
    const K x = from.free();
    if (x == K(0)) continue;
    if constexpr (OrderedScalar<K>) return x < K(0) ? -x : x;
    return x;
  }
}
template <class K>
std::vector<K> some_powers(Source<K>& from, std::size_t n) {
  std::vector<K> result;
  for (std::size_t i = 0; i < n; ++i) result.push_back(some_power(from));
  return result;
}

/// Σ x_ij y_ij.
template <class K>
K paired(const Matrix<K>& x, const Matrix<K>& y) {
  K sum(0);
  for (std::size_t i = 0; i < x.rows(); ++i) sum = sum + dot<K>(x.row(i), y.row(i));
  return sum;
}

enum class GatePosition { inner, outer };

/// Which inputs of a head move.
struct Moving {
  bool q = false, k = false, v = false, scores = false;
};

/// Gradients of one head with respect to its inputs; scores [Tq, blocks].
template <class K>
struct HeadGradients {
  AttentionGradients<K> attention;
  Matrix<K> log_gates, scores;
};

/// A head with everything free, a direction of its inputs, and the adjoint dO, dL of its results. The derivative of
/// ⟨dO, o⟩ + ⟨dL, L⟩ by dual numbers and ⟨gradient, direction⟩ by the closed form must agree: one direction tests a
/// whole gradient. The powers of logits and scores are free, so exp is any function that is its own derivative.
template <class K>
struct GradientTrial {
  std::size_t n, Tq, d, dv;
  BlockGrid grid;
  Normalisation rule;
  GatePosition position;
  Matrix<K> q, k, v;
  K scale;
  Matrix<K> logit_powers, score_powers;
  Matrix<int> open;
  Matrix<K> q_direction, k_direction, v_direction, score_direction;
  Matrix<K> d_output;
  std::vector<K> d_lse;

  GradientTrial(Source<K>& from, Normalisation normalisation, GatePosition place, const Moving& moves)
      : n(from.size("Tk", 1, 5)),
        Tq(from.size("Tq", 1, static_cast<std::int64_t>(std::min<std::size_t>(n, 3)))),
        d(from.size("d", 1, 2)),
        dv(from.size("dv", 1, 2)),
        grid{from.size("block_size", 1, 3), n - Tq},
        rule(normalisation),
        position(place),
        q(from.values(Tq, d)),
        k(from.values(n, d)),
        v(from.values(n, dv)),
        scale(from.value()),
        logit_powers(some_powers(from, Tq, n)),
        score_powers(some_powers(from, Tq, grid.blocks(n))),
        open(some_open(from)),
        q_direction(tangent(from, moves.q, Tq, d)),
        k_direction(tangent(from, moves.k, n, d)),
        v_direction(tangent(from, moves.v, n, dv)),
        score_direction(tangent(from, moves.scores, Tq, grid.blocks(n))),
        d_output(from.values(Tq, dv)),
        d_lse(from.values(Tq)) {}

  static Matrix<K> tangent(Source<K>& from, bool moves, std::size_t rows, std::size_t cols) {
    return moves ? from.values(rows, cols) : Matrix<K>(rows, cols);
  }
  static Matrix<K> some_powers(Source<K>& from, std::size_t rows, std::size_t cols) {
    return Source<K>::filled(rows, cols, [&from] { return some_power(from); });
  }

  /// The current block up to the query, and history blocks by a free selection a row; one row in eight is closed.
  Matrix<int> some_open(Source<K>& from) const {
    Matrix<int> result(Tq, n, 0);
    for (std::size_t t = 0; t < Tq; ++t) {
      const bool closed = from.below(8) == 0;
      std::vector<int> chosen;
      for (std::size_t m = 0; m < grid.current(t); ++m) chosen.push_back(static_cast<int>(from.below(2)));
      chosen.push_back(1);
      for (std::size_t i = 0; i <= grid.t0 + t && !closed; ++i) result(t, i) = chosen[grid.block_of(i)];
    }
    return result;
  }
  bool is_closed(std::size_t t) const {
    return std::ranges::none_of(open.row(t), [](int mark) { return mark != 0; });
  }

  /// Gates of a row's history from its scores, then 1 for the current block.
  template <class Z>
  std::vector<PowerOf<Z>> row_gates(std::size_t t, std::vector<Z> scores) const {
    scores.resize(grid.current(t));
    auto g = gates(std::span<const Z>(scores), rule);
    g.push_back(PowerOf<Z>(1));
    return g;
  }
  std::vector<K> resting_gates(std::size_t t) const { return row_gates(t, resting_scores<K>(score_powers.row(t))); }

  /// The definition in dual numbers, a row: ⟨dO, ȯ⟩ + dL L̇, L = log Z.
  K row_by_duals(std::size_t t) const {
    using D = Dual<K>;
    const auto moved_q = moving(q, q_direction), moved_k = moving(k, k_direction), moved_v = moving(v, v_direction);
    const auto g = row_gates(t, moving_scores<K>(score_powers.row(t), score_direction.row(t)));
    D Z(0);
    std::vector<D> N(dv, D(0));
    for (std::size_t i = 0; i < n; ++i) {
      if (open(t, i) == 0) continue;
      const D logit = D(scale) * dot<D>(moved_q.row(t), moved_k.row(i));
      const D E = chain(logit, logit_powers(t, i), logit_powers(t, i)), gated = g[grid.block_of(i)] * E;
      Z = Z + (position == GatePosition::inner ? gated : E);
      for (std::size_t j = 0; j < dv; ++j) N[j] = N[j] + gated * moved_v(i, j);
    }
    if (has_no_inverse(Z)) throw ZeroDenominator("weights of a row sum to 0");
    K sum = d_lse[t] * (Z.tangent / Z.value);
    for (std::size_t j = 0; j < dv; ++j) sum = sum + d_output(t, j) * (N[j] / Z).tangent;
    return sum;
  }
  K by_duals() const {
    K sum(0);
    for (std::size_t t = 0; t < Tq; ++t)
      if (!is_closed(t)) sum = sum + row_by_duals(t);
    return sum;
  }

  /// γ_ti, the gate of token i's block; 0 after the query.
  Matrix<K> token_gates() const {
    Matrix<K> result(Tq, n);
    for (std::size_t t = 0; t < Tq; ++t) {
      const std::vector<K> g = resting_gates(t);
      for (std::size_t i = 0; i <= grid.t0 + t; ++i) result(t, i) = g[grid.block_of(i)];
    }
    return result;
  }
  /// P through logits and their log-sum-exp, as the backward pass has it; without gates where they are outside.
  Matrix<K> probabilities() const {
    const Matrix<K> gamma = token_gates();
    Matrix<Logarithm<K>> logits(Tq, n, Logarithm<K>{});
    std::vector<Logarithm<K>> lse;
    for (std::size_t t = 0; t < Tq; ++t) {
      K Z(0);
      for (std::size_t i = 0; i < n; ++i) {
        if (open(t, i) == 0) continue;
        logits(t, i) = {position == GatePosition::inner ? K(gamma(t, i) * logit_powers(t, i)) : logit_powers(t, i)};
        Z = Z + logits(t, i).power;
      }
      if (has_no_inverse(Z) && !is_closed(t)) throw ZeroDenominator("weights of a row sum to 0");
      lse.push_back({Z});
    }
    return recomputed_probabilities<Logarithm<K>>(logits, lse, open);
  }
  Matrix<K> output(const Matrix<K>& P) const {
    if (position == GatePosition::inner) return P * v;
    const Matrix<K> gamma = token_gates();
    Matrix<K> gated = P;
    for (std::size_t t = 0; t < Tq; ++t)
      for (std::size_t i = 0; i < n; ++i) gated(t, i) = gated(t, i) * gamma(t, i);
    return gated * v;
  }

  HeadGradients<K> closed_form() const {
    const Matrix<K> P = probabilities();
    const std::vector<K> deltas = row_deltas<K>(output(P), d_output, d_lse);
    HeadGradients<K> g;
    if (position == GatePosition::inner) {
      g.attention = attention_gradients<K>(q, k, v, scale, P, deltas, d_output);
      g.log_gates = block_sums_of_logit_gradients(g.attention.logits, grid);
    } else {
      g.attention = outer_attention_gradients<K>(q, k, v, scale, P, token_gates(), deltas, d_output);
      g.log_gates = outer_log_gate_gradients(P, token_gates(), v, d_output, grid);
    }
    g.scores = Matrix<K>(Tq, grid.blocks(n));
    for (std::size_t t = 0; t < Tq; ++t) {
      const std::size_t C = grid.current(t);
      const std::vector<K> all_gates = resting_gates(t);
      const auto row = score_gradients_of_log_gates<K>(std::span<const K>(all_gates).first(C),
                                                       std::span<const K>(g.log_gates.row(t)).first(C), rule);
      std::ranges::copy(row, g.scores.row(t).begin());
    }
    return g;
  }
  K along(const HeadGradients<K>& g) const {
    return paired(g.attention.q, q_direction) + paired(g.attention.k, k_direction) +
           paired(g.attention.v, v_direction) + paired(g.scores, score_direction);
  }
};

/// A row's Z has degree 2 in powers, once the Σ e^s of its gates (raised to 1 where they are outside) is cleared, N one
/// more; derivatives add a direction and the degree 2 of c q; dO or dL one. Over the square of Z, and with both sides'
/// gates cleared, a row stays within 2 (3 + 2 + 2) + 2 + 4; three rows have their own denominators.
constexpr std::uint32_t head_degree = 3 * (2 * (3 + 2 + 2) + 2 + 4);

}  // namespace assay::sas
