#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "oracle/sas/gate_gradients.hpp"
#include "oracle/sas/gates.hpp"
#include "properties/sas/gradient_trial.hpp"
#include "properties/source.hpp"

namespace assay::sas {

/// Σ_i w_i γ_i v_i / Σ_i w_i δ_i with the gate of token i's block in γ, and in δ where gates are inside.
template <class D>
std::vector<D> gated_output(const std::vector<D>& E, const std::vector<std::size_t>& block, const std::vector<D>& g,
                            const Matrix<D>& v, GatePosition position) {
  D Z(0);
  std::vector<D> o(v.cols(), D(0));
  for (std::size_t i = 0; i < E.size(); ++i) {
    const D gated = g[block[i]] * E[i];
    Z = Z + (position == GatePosition::inner ? gated : E[i]);
    for (std::size_t j = 0; j < o.size(); ++j) o[j] = o[j] + gated * v(i, j);
  }
  if (has_no_inverse(Z)) throw ZeroDenominator("weights of the attended tokens sum to 0");
  for (D& entry : o) entry = entry / Z;
  return o;
}

/// x at rest.
template <class K>
std::vector<Dual<K>> resting(const std::vector<K>& x) {
  return {x.begin(), x.end()};
}
template <class K>
std::vector<Dual<K>> moving(const std::vector<K>& x, const std::vector<K>& tangent) {
  std::vector<Dual<K>> result;
  for (std::size_t i = 0; i < x.size(); ++i) result.emplace_back(x[i], tangent[i]);
  return result;
}
template <class K>
K paired_with_tangent(const std::vector<K>& adjoint, const std::vector<Dual<K>>& x) {
  K sum(0);
  for (std::size_t j = 0; j < x.size(); ++j) sum = sum + adjoint[j] * x[j].tangent;
  return sum;
}

/// The gates of C history blocks behind that of the current one, which is 1.
template <class K>
std::vector<K> behind_current(std::vector<K> g) {
  g.insert(g.begin(), K(1));
  return g;
}
template <class K>
std::vector<K> history(const std::vector<K>& of_all_blocks) {
  return {of_all_blocks.begin() + 1, of_all_blocks.end()};
}

/// One query, its tokens in free blocks, the first in the current one; scores known by their powers; a selection that
/// keeps the current block.
template <class K>
struct RowTrial {
  std::size_t C, dv;
  AttendedTokens<K> x;
  std::vector<K> score_powers;
  std::vector<int> selected;
  std::vector<K> d_output;

  explicit RowTrial(Source<K>& from, std::size_t least_history = 0)
      : C(from.size("C", static_cast<std::int64_t>(least_history), 4)), dv(from.size("dv", 1, 2)) {
    const std::size_t n = from.size("tokens", 1, 6);
    x.E = some_powers(from, n);
    x.v = from.values(n, dv);
    x.block.assign(1, 0);
    while (x.block.size() < n) x.block.push_back(from.below(C + 1));
    score_powers = some_powers(from, C);
    selected.assign(1, 1);
    while (selected.size() < C + 1) selected.push_back(static_cast<int>(from.below(2)));
    d_output = from.values(dv);
  }

  /// With weight 0 for tokens of unselected blocks: sparse scope.
  AttendedTokens<K> sparse() const {
    AttendedTokens<K> kept = x;
    for (std::size_t i = 0; i < kept.E.size(); ++i)
      if (selected[x.block[i]] == 0) kept.E[i] = K(0);
    return kept;
  }

  std::vector<K> softmax_gates() const {
    return gates(std::span<const Logarithm<K>>(resting_scores<K>(score_powers)));
  }
  std::vector<K> softmax_gates_and_current() const { return behind_current(softmax_gates()); }

  /// ⟨dO, ȯ⟩ of moving gates.
  K by_duals(const AttendedTokens<K>& tokens, const std::vector<Dual<K>>& g, GatePosition position) const {
    const Matrix<Dual<K>> v = assay::sas::moving(tokens.v, Matrix<K>(tokens.v.rows(), dv));
    return paired_with_tangent(d_output, gated_output(resting(tokens.E), tokens.block, g, v, position));
  }
  std::vector<K> output(const AttendedTokens<K>& tokens, const std::vector<K>& g,
                        GatePosition position = GatePosition::inner) const {
    return gated_output(tokens.E, tokens.block, g, tokens.v, position);
  }

  std::vector<K> inner(const AttendedTokens<K>& tokens, const std::vector<K>& g) const {
    return inner_gate_gradients<K>(tokens, g, d_output);
  }

  /// p̃_i ⟨dO, v_i − o⟩, token by token.
  std::vector<K> along(const AttendedTokens<K>& tokens, const std::vector<K>& g) const {
    const std::vector<K> o = output(tokens, g);
    K Z(0);
    for (std::size_t i = 0; i < tokens.E.size(); ++i) Z = Z + g[tokens.block[i]] * tokens.E[i];
    std::vector<K> result;
    for (std::size_t i = 0; i < tokens.E.size(); ++i)
      result.push_back(g[tokens.block[i]] * tokens.E[i] / Z * dot<K>(d_output, difference(tokens.v.row(i), o)));
    return result;
  }

  static std::vector<K> difference(std::span<const K> a, std::span<const K> b) {
    std::vector<K> result;
    for (std::size_t j = 0; j < a.size(); ++j) result.push_back(a[j] - b[j]);
    return result;
  }
};

/// Z has degree 2 in weights and gates, or powers once Σ e^s is cleared, o's numerator one more; derivatives add a
/// direction, dO one, the products with gates 2 and their Σ 2: over the square of Z and of Σ e^s.
constexpr std::uint32_t row_degree = 3 + 2 + 1 + 1 + 2 + 2 * 2;

}  // namespace assay::sas
