#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "oracle/sas/attention.hpp"
#include "oracle/sas/gate_gradients.hpp"
#include "properties/sas/inputs.hpp"
#include "properties/sas/moving.hpp"
#include "properties/source.hpp"

namespace assay::sas {

/// The output of one query by its definition: inside Σ γ_i E_i v_i / Σ γ_i E_i, outside Σ γ_i E_i v_i / Σ E_i, with the
/// gate γ_i of token i's block.
template <class D>
std::vector<D> gated_output(std::span<const D> E, std::span<const std::size_t> block, std::span<const D> g,
                            const Matrix<D>& v, GatePosition position) {
  std::vector<D> gated;
  for (std::size_t i = 0; i < E.size(); ++i) gated.push_back(g[block[i]] * E[i]);
  if (position == GatePosition::inner) return weighted_mean<D>(gated, v);
  Matrix<D> scaled = v;
  for (std::size_t i = 0; i < E.size(); ++i)
    for (D& entry : scaled.row(i)) entry = g[block[i]] * entry;
  return weighted_mean<D>(E, scaled);
}

/// One query, its tokens in free blocks, the first in the current one; scores known by their powers; marks of the
/// blocks that are attended in sparse scope, the current one among them.
template <class K>
struct RowTrial {
  std::size_t C, dv;
  AttendedTokens<K> x;
  std::vector<K> score_powers;
  std::vector<int> selected;
  std::vector<K> d_output;

  explicit RowTrial(Source<K>& from, std::int64_t least_history = 0)
      : C(from.size("C", least_history, 4)), dv(from.size("dv", 1, 2)) {
    const std::size_t n = from.size("tokens", 1, 6);
    x.E = drawn_powers(from, n);
    x.v = from.values(n, dv);
    x.block.assign(1, 0);
    while (x.block.size() < n) x.block.push_back(from.below(C + 1));
    score_powers = drawn_powers(from, C);
    selected.assign(1, 1);
    while (selected.size() < C + 1) selected.push_back(static_cast<int>(from.below(2)));
    d_output = from.values(dv);
  }

  /// Without the weight of tokens in unselected blocks.
  AttendedTokens<K> sparse() const {
    AttendedTokens<K> kept = x;
    for (std::size_t i = 0; i < kept.E.size(); ++i)
      if (selected[x.block[i]] == 0) kept.E[i] = K(0);
    return kept;
  }
  /// Without the weight of block m.
  AttendedTokens<K> without(std::size_t m) const {
    AttendedTokens<K> kept = x;
    for (std::size_t i = 0; i < kept.E.size(); ++i)
      if (x.block[i] == m) kept.E[i] = K(0);
    return kept;
  }

  std::vector<K> history_gates(Normalisation rule = Normalisation::softmax) const {
    const auto s = resting_scores<K>(score_powers);
    return gates(std::span<const Logarithm<K>>(s), rule);
  }
  /// g_0 = 1 in front.
  static std::vector<K> behind_current(std::vector<K> g) {
    g.insert(g.begin(), K(1));
    return g;
  }
  std::vector<K> all_gates(Normalisation rule = Normalisation::softmax) const {
    return behind_current(history_gates(rule));
  }
  /// All gates while the scores move; the current block's stays 1.
  std::vector<Dual<K>> moving_gates(std::span<const K> tangent, Normalisation rule = Normalisation::softmax) const {
    const auto s = moving_scores<K>(score_powers, tangent);
    auto g = gates(std::span<const Logarithm<Dual<K>>>(s), rule);
    g.insert(g.begin(), Dual<K>(1));
    return g;
  }

  std::vector<K> output(const AttendedTokens<K>& tokens, const std::vector<K>& g,
                        GatePosition position = GatePosition::inner) const {
    return gated_output<K>(tokens.E, tokens.block, g, tokens.v, position);
  }
  /// ⟨dO, ȯ⟩ while the gates move.
  K by_duals(const AttendedTokens<K>& tokens, const std::vector<Dual<K>>& g,
             GatePosition position = GatePosition::inner) const {
    const std::vector<Dual<K>> E(tokens.E.begin(), tokens.E.end());
    const Matrix<Dual<K>> v = moving(tokens.v, Matrix<K>(tokens.v.rows(), dv));
    return paired_with_tangent<K>(d_output, gated_output<Dual<K>>(E, tokens.block, g, v, position));
  }

  std::vector<K> inner(const AttendedTokens<K>& tokens, const std::vector<K>& g) const {
    return inner_gate_gradients<K>(tokens, g, d_output);
  }

  /// ⟨dO, v_i − o⟩.
  K towards(std::size_t i, const std::vector<K>& o) const {
    K sum(0);
    for (std::size_t j = 0; j < dv; ++j) sum = sum + d_output[j] * (x.v(i, j) - o[j]);
    return sum;
  }
  /// Σ_i γ_i E_i.
  static K normaliser(const AttendedTokens<K>& tokens, const std::vector<K>& g) {
    K sum(0);
    for (std::size_t i = 0; i < tokens.E.size(); ++i) sum = sum + g[tokens.block[i]] * tokens.E[i];
    return sum;
  }
  /// Σ_{i ∈ B_m} p̃_i ⟨dO, v_i − o⟩: what block m's mass is worth.
  K block_term(const AttendedTokens<K>& tokens, const std::vector<K>& g, std::size_t m) const {
    const std::vector<K> o = output(tokens, g);
    const K Z = normaliser(tokens, g);
    K sum(0);
    for (std::size_t i = 0; i < tokens.E.size(); ++i)
      if (tokens.block[i] == m) sum = sum + g[m] * tokens.E[i] / Z * towards(i, o);
    return sum;
  }
};

/// Z has degree 2 in weights and gates, or powers once Σ e^s is cleared, o's numerator one more; derivatives add a
/// direction, dO one, the products with gates 2 and their Σ e^s another 2: over the squares of Z and of Σ e^s.
constexpr std::uint32_t row_degree = 3 + 2 + 1 + 1 + 2 + 2 * 2;

}  // namespace assay::sas
