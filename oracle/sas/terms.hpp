#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "oracle/sas/gate_rule.hpp"
#include "oracle/sas/query.hpp"

namespace assay::sas {

/// A token that takes part in a softmax: its logit, any bias included, and the factor of its value.
template <class Z>
struct Term {
  std::size_t token;
  Z logit;
  PowerOf<Z> factor{1};

  friend bool operator==(const Term&, const Term&) = default;
};

/// softmax(q Kᵀ): every visible token, no gate. The attention of the dense model and of prefill.
/// Source: [SAS] eq. 1.
template <class Z>
std::vector<Term<Z>> dense_terms(const Query<Z>& x) {
  require_query(x, {});
  std::vector<Term<Z>> terms;
  for (std::size_t i = 0; i < x.place.visible(); ++i) terms.push_back({i, x.z[i]});
  return terms;
}

/// softmax(q K_Sᵀ), S = B_0 ∪ selected blocks: gates are removed.
/// Source: [SAS] alg. 2, eq. 2; [SAS-notes] s2.3.
template <class Z>
std::vector<Term<Z>> inference_terms(const Query<Z>& x, const BlockSet& selected) {
  require_query(x, selected);
  std::vector<Term<Z>> terms;
  for (std::size_t i = 0; i < x.place.visible(); ++i)
    if (i >= x.place.current_begin() || std::ranges::binary_search(selected, i / x.place.block_size))
      terms.push_back({i, x.z[i]});
  return terms;
}

/// softmax(q Kᵀ + log g) over the scope, in ascending order of tokens. The current block has g_0 = 1, and no bias.
///   inner   logit z_i + log g_{b(i)}; a gate of 0 takes its block out
///   outer   logit z_i, and the value times g_{b(i)}
/// Source: [SAS] eq. 4, 9, alg. 1; [SAS-notes] s2.2, s2.4, s2.6, s2.7.
/// Domain: log g is added after z_i is scaled. Error: log_gates, and a sum a token (inner).
template <class Z, Steps<PowerOf<Z>> St = Exact>
std::vector<Term<Z>> training_terms(const Query<Z>& x, const BlockSet& selected, const GateRule& rule = {},
                                    const St& steps = {}) {
  require_query(x, selected);
  const std::vector<Z> log_g = log_gates(std::span<const Z>(x.s), rule.normalisation, steps);
  std::vector<Term<Z>> terms;
  for (std::size_t i = 0; i < x.place.visible(); ++i) {
    const std::size_t m = i / x.place.block_size;
    const bool current = i >= x.place.current_begin(), chosen = current || std::ranges::binary_search(selected, m);
    const bool hard = rule.form == GateForm::straight_through;
    if (!chosen && rule.scope == Scope::sparse) continue;
    if (!chosen && hard && rule.position == GatePosition::inner) continue;
    Term<Z> term{i, x.z[i]};
    if (hard)
      term.factor = PowerOf<Z>(chosen ? 1 : 0);
    else if (!current && rule.position == GatePosition::inner)
      term.logit = steps.accumulate(term.logit + log_g[m]);
    else if (!current)
      term.factor = steps.elementary(exp_score(log_g[m]));
    terms.push_back(term);
  }
  return terms;
}

}  // namespace assay::sas
