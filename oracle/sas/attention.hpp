#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "oracle/matrix.hpp"
#include "oracle/sas/terms.hpp"

namespace assay::sas {

/// The output of one query [dv] and L = LSE of its logits, from which a backward pass recomputes the weights.
template <class Z>
struct Attention {
  std::vector<PowerOf<Z>> o;
  Z lse;

  friend bool operator==(const Attention&, const Attention&) = default;
};

/// L = LSE of the terms' logits.
template <class Z, Steps<PowerOf<Z>> St = Exact>
Z lse_of(const std::vector<Term<Z>>& terms, const St& steps = {}) {
  std::vector<Z> logits;
  for (const Term<Z>& term : terms) logits.push_back(term.logit);
  return log_sum_exp(std::span<const Z>(logits), steps);
}

/// p_i = e^{x_i − L}: the softmax of the terms' logits.
/// Source: [SAS] eq. 1, 2, 9.
template <class Z, Steps<PowerOf<Z>> St = Exact>
std::vector<PowerOf<Z>> probabilities(const std::vector<Term<Z>>& terms, const Z& lse, const St& steps = {}) {
  std::vector<PowerOf<Z>> p;
  for (const Term<Z>& term : terms)
    p.push_back(steps.weights(steps.elementary(exp_score(Z(steps.accumulate(term.logit - lse))))));
  return p;
}

/// o = Σ_i p_i f_i v_i, f the factors, and L. The values of tokens that are no term are not read.
/// Source: [SAS] eq. 1, 2, 9.
/// Domain: a term or more, v [n, dv] with a row a token. Error: an LSE; a difference, an exp, a product with a factor
/// other than 1, a product and a sum a term.
template <class Z, Steps<PowerOf<Z>> St = Exact>
Attention<Z> attention(const std::vector<Term<Z>>& terms, const Matrix<PowerOf<Z>>& v, const St& steps = {}) {
  const Z lse = lse_of(terms, steps);
  const auto p = probabilities(terms, lse, steps);
  std::vector<PowerOf<Z>> o(v.cols(), PowerOf<Z>(0));
  for (std::size_t n = 0; n < terms.size(); ++n) {
    if (terms[n].token >= v.rows())
      throw OutsideDomain("token " + std::to_string(terms[n].token) + ": v has " + std::to_string(v.rows()) + " rows");
    const PowerOf<Z> weight = steps.weights(p[n] * terms[n].factor);
    for (std::size_t j = 0; j < o.size(); ++j)
      o[j] = steps.accumulate(o[j] + steps.product(weight * v(terms[n].token, j)));
  }
  for (auto& entry : o) entry = steps.output(entry);
  return {std::move(o), lse};
}

/// Σ_i w_i v_i / Σ_i w_i: attention by its weights before normalisation, w_i = e^{z_i} or g_{b(i)} e^{z_i}.
/// Source: [SAS-notes] s2.4.
/// Domain: Σ w ≠ 0.
template <Scalar K>
std::vector<K> weighted_mean(std::span<const K> w, const Matrix<K>& v) {
  require_length(w.size(), v.rows(), "w");
  K sum(0);
  std::vector<K> o(v.cols(), K(0));
  for (std::size_t i = 0; i < w.size(); ++i) {
    sum = sum + w[i];
    for (std::size_t j = 0; j < o.size(); ++j) o[j] = o[j] + w[i] * v(i, j);
  }
  if (has_no_inverse(sum)) throw ZeroDenominator("weighted mean: the weights sum to 0");
  for (K& entry : o) entry = entry / sum;
  return o;
}

}  // namespace assay::sas
