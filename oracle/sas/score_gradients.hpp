#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "oracle/matrix.hpp"
#include "oracle/sas/gates.hpp"
#include "oracle/scalar.hpp"
#include "oracle/steps.hpp"

namespace assay::sas {

/// ds_m = g_m (dg_m − Σ_ℓ g_ℓ dg_ℓ), m and ℓ over all C history blocks.
/// Source: [SAS] eq. 8, full.
/// Sparse scope is the same with dg = 0 at unselected blocks: an unselected one keeps ds_m = −g_m Σ_{ℓ ∈ I} g_ℓ dg_ℓ.
/// Domain: g a softmax of the scores. Error: that of the sum and the difference.
template <Scalar K>
std::vector<K> score_gradients(std::span<const K> g, std::span<const K> d_gates) {
  const K mean = dot<K>(g, d_gates);
  std::vector<K> d_scores;
  for (std::size_t m = 0; m < g.size(); ++m) d_scores.push_back(g[m] * (d_gates[m] - mean));
  return d_scores;
}

/// The same from d log g, which is what kernels hand on: with a_m = d log g_m,
///   softmax  ds_m = a_m − g_m Σ_ℓ a_ℓ      sigmoid  ds_m = (1 − g_m) a_m      raw  ds_m = a_m
/// No division by g_m, so that a gate may be 0.
/// Source: chain rule on [SAS] eq. 6; for softmax [SAS] eq. 8 with a_m = g_m dg_m.
/// Domain: g from the same rule. Error: that of the sum and the difference.
template <Scalar K>
std::vector<K> score_gradients_of_log_gates(std::span<const K> g, std::span<const K> d_log_gates, Normalisation rule) {
  require_length(d_log_gates.size(), g.size(), "d_log_gates");
  std::vector<K> d_scores(d_log_gates.begin(), d_log_gates.end());
  if (rule == Normalisation::raw) return d_scores;
  K sum(0);
  for (const K& a : d_log_gates) sum = sum + a;
  for (std::size_t m = 0; m < g.size(); ++m)
    d_scores[m] = d_scores[m] - g[m] * (rule == Normalisation::softmax ? sum : d_log_gates[m]);
  return d_scores;
}

}  // namespace assay::sas
