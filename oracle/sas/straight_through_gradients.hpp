#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "oracle/sas/gate_gradients.hpp"
#include "oracle/sas/score_gradients.hpp"
#include "oracle/scalar.hpp"

namespace assay::sas {

/// What straight-through training uses in the place of gradients: it is the gradient of no function of the scores.
template <Scalar K>
struct StraightThroughGradients {
  std::vector<K> gates;   ///< [C + 1]
  std::vector<K> scores;  ///< [C]
};

/// E_i / Σ_{j ∈ S} E_j, which stands where a continuous gate has p̃_i / g_m. For i ∉ S no bound holds: E_i is not in the
/// sum, and the token's weight in the output is 0.
/// Source: [SAS] eq. 7; D.2.
/// Domain: marks of C + 1 blocks, the current one first; some token of S. Error: a sum and a quotient.
template <Scalar K>
std::vector<K> straight_through_ratios(const AttendedTokens<K>& x, std::span<const int> selected) {
  require_attended(x, selected.size(), x.v.cols());
  std::vector<K> kept(x.E.size(), K(0)), ratios;
  for (std::size_t i = 0; i < kept.size(); ++i)
    if (selected[x.block[i]] != 0) kept[i] = x.E[i];
  const K sum = detail::normaliser<K>(kept);
  for (const K& e : x.E) ratios.push_back(e / sum);
  return ratios;
}

/// Forwards a gate is 1 where its block is selected and 0 elsewhere; backwards it counts as the softmax gate:
///   dg_m = Σ_{i ∈ B_m} (E_i / Σ_{j ∈ S} E_j) ⟨dO, v_i − o⟩,  o = Σ_{i ∈ S} E_i v_i / Σ_{j ∈ S} E_j,
/// and ds as in eq. 8 from these dg and the softmax gates g of the history blocks.
/// Source: [SAS] eq. 7; D.2.
/// Domain: as above; g [C]. Error: exact in exact arithmetic.
template <Scalar K>
StraightThroughGradients<K> straight_through_gradients(const AttendedTokens<K>& x, std::span<const int> selected,
                                                       std::span<const K> g, std::span<const K> d_output) {
  require_length(selected.size(), g.size() + 1, "selected");
  std::vector<K> hard;
  for (const int mark : selected) hard.push_back(K(mark != 0 ? 1 : 0));
  std::vector<K> d_gates = inner_gate_gradients<K>(x, hard, d_output);
  std::vector<K> d_scores = score_gradients<K>(g, std::span<const K>(d_gates).subspan(1));
  return {std::move(d_gates), std::move(d_scores)};
}

/// Outside the softmax: forwards a value counts where its block is selected, p over all attended tokens; backwards
///   dg_m = Σ_{i ∈ B_m} p_i ⟨dO, v_i⟩,
/// whichever blocks are selected, and ds as in eq. 8. p_i is a weight, so that dg has a bound.
/// Source: [SAS] eq. 5, outer, in the manner of eq. 7; own.
/// Domain: that of outer_gate_gradients; g [C] the softmax gates. Error: exact in exact arithmetic.
template <Scalar K>
StraightThroughGradients<K> outer_straight_through_gradients(const AttendedTokens<K>& x, std::span<const K> g,
                                                             std::span<const K> d_output) {
  std::vector<K> d_gates = outer_gate_gradients<K>(x, g.size() + 1, d_output);
  std::vector<K> d_scores = score_gradients<K>(g, std::span<const K>(d_gates).subspan(1));
  return {std::move(d_gates), std::move(d_scores)};
}

}  // namespace assay::sas
