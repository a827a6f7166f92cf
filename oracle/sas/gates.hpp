#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "oracle/logarithm.hpp"
#include "oracle/outside_domain.hpp"
#include "oracle/steps.hpp"

namespace assay::sas {

/// How the scores of the history blocks become gates.
///   softmax  g_m = e^{s_m} / Σ_ℓ e^{s_ℓ}: blocks compete
///   sigmoid  g_m = 1 / (1 + e^{−s_m})
///   raw      g_m = e^{s_m}: the score itself is the bias
enum class Normalisation { softmax, sigmoid, raw };

/// LSE(s) = log Σ_m e^{s_m} = r + log Σ_m e^{s_m − r} with r the largest score; over a field r is any score.
/// Source: [SAS] eq. 6; [SAS-notes] s2.5.
/// Domain: at least one score; over a field, powers that do not sum to 0. Error: a difference, an exp and a sum a
/// score, one log and one sum.
template <class Z, Steps<PowerOf<Z>> St = Exact>
Z log_sum_exp(std::span<const Z> s, const St& steps = {}) {
  if (s.empty()) throw OutsideDomain("LSE of 0 scores: needs one or more");
  Z reference = s[0];
  for (const Z& score : s) reference = larger_score(reference, score);
  PowerOf<Z> sum(0);
  for (const Z& score : s)
    sum = steps.accumulate(sum + steps.elementary(exp_score(Z(steps.accumulate(score - reference)))));
  if (has_no_inverse(sum)) throw ZeroDenominator("LSE: the powers of the scores sum to 0");
  return steps.accumulate(reference + Z(steps.elementary(log_score<Z>(sum))));
}

/// log g_m of the history blocks: s_m − LSE(s), s_m − LSE(0, s_m), or s_m. The current block has log g_0 = 0.
/// Source: [SAS] eq. 4, 6; [SAS-notes] s2.2, s2.5, s4.1.
/// Domain: every candidate block, selected or not; none gives no gate. Error: an LSE and a difference each.
template <class Z, Steps<PowerOf<Z>> St = Exact>
std::vector<Z> log_gates(std::span<const Z> s, Normalisation rule = Normalisation::softmax, const St& steps = {}) {
  std::vector<Z> gates(s.begin(), s.end());
  if (s.empty() || rule == Normalisation::raw) return gates;
  if (rule == Normalisation::softmax) {
    const Z total = log_sum_exp(s, steps);
    for (Z& gate : gates) gate = steps.accumulate(gate - total);
    return gates;
  }
  for (Z& gate : gates) {
    const Z pair[] = {zero_score<Z>(), gate};
    gate = steps.accumulate(gate - log_sum_exp(std::span<const Z>(pair), steps));
  }
  return gates;
}

/// g_m of the history blocks; the current block has g_0 = 1.
/// Source: [SAS] eq. 4; [SAS-notes] s2.2.
/// Domain: that of log_gates. Error: one exp each beyond log_gates.
template <class Z, Steps<PowerOf<Z>> St = Exact>
std::vector<PowerOf<Z>> gates(std::span<const Z> s, Normalisation rule = Normalisation::softmax, const St& steps = {}) {
  std::vector<PowerOf<Z>> g;
  for (const Z& gate : log_gates(s, rule, steps)) g.push_back(steps.elementary(exp_score(gate)));
  return g;
}

}  // namespace assay::sas
