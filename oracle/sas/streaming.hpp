#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "oracle/sas/attention.hpp"

namespace assay::sas {

/// What the tiles seen so far leave: a reference r, Σ e^{x_i − r} and Σ e^{x_i − r} f_i v_i. Before the first term
/// there is no reference, so that no difference of infinities is formed.
template <class Z>
struct Partial {
  std::optional<Z> reference;
  PowerOf<Z> sum{0};
  std::vector<PowerOf<Z>> numerator;  ///< [dv]
};

/// The online softmax: one tile more. r' = max(r, tile's logits), what was summed before is rescaled by e^{r − r'};
/// over a field r' is any logit. A tile without terms changes nothing.
/// Source: [SAS] alg. 3; [SAS-notes] s2.8.
/// Error: a difference, an exp and a product a tile; a difference, an exp, two products and two sums a term.
template <class Z, Steps<PowerOf<Z>> St = Exact>
Partial<Z> after_tile(Partial<Z> seen, std::span<const Term<Z>> tile, const Matrix<PowerOf<Z>>& v,
                      const St& steps = {}) {
  if (tile.empty()) return seen;
  Z reference = seen.reference.value_or(tile[0].logit);
  for (const Term<Z>& term : tile) reference = larger_score(reference, term.logit);
  seen.numerator.resize(v.cols(), PowerOf<Z>(0));
  if (seen.reference) {
    const PowerOf<Z> scale = steps.elementary(exp_score(Z(steps.accumulate(*seen.reference - reference))));
    seen.sum = steps.product(seen.sum * scale);
    for (auto& entry : seen.numerator) entry = steps.product(entry * scale);
  }
  for (const Term<Z>& term : tile) {
    const PowerOf<Z> e = steps.elementary(exp_score(Z(steps.accumulate(term.logit - reference))));
    const PowerOf<Z> weight = steps.weights(e * term.factor);
    seen.sum = steps.accumulate(seen.sum + e);
    for (std::size_t j = 0; j < v.cols(); ++j)
      seen.numerator[j] = steps.accumulate(seen.numerator[j] + steps.product(weight * v(term.token, j)));
  }
  seen.reference = reference;
  return seen;
}

/// o = N / ℓ, L = r + log ℓ.
/// Source: [SAS] alg. 3; [SAS-notes] s2.8.
/// Domain: a term was seen.
template <class Z, Steps<PowerOf<Z>> St = Exact>
Attention<Z> finished(const Partial<Z>& seen, const St& steps = {}) {
  if (!seen.reference) throw OutsideDomain("softmax of 0 terms: needs one or more");
  if (has_no_inverse(seen.sum)) throw ZeroDenominator("streamed softmax: the powers sum to 0");
  Attention<Z> result{{}, Z(steps.accumulate(*seen.reference + Z(steps.elementary(log_score<Z>(seen.sum)))))};
  for (const auto& entry : seen.numerator) result.o.push_back(steps.output(entry / seen.sum));
  return result;
}

/// The terms whose tokens lie in [begin, end).
template <class Z>
std::vector<Term<Z>> tile_of(const std::vector<Term<Z>>& terms, std::size_t begin, std::size_t end) {
  std::vector<Term<Z>> tile;
  for (const Term<Z>& term : terms)
    if (term.token >= begin && term.token < end) tile.push_back(term);
  return tile;
}

/// Attention over tiles of `tile_size` tokens, first to last; a tile without a term is skipped.
/// Source: [SAS] alg. 3; [SAS-notes] s2.8.
/// Domain: tile_size ≥ 1, and a term or more.
template <class Z, Steps<PowerOf<Z>> St = Exact>
Attention<Z> streamed(const std::vector<Term<Z>>& terms, const Matrix<PowerOf<Z>>& v, std::size_t tile_size,
                      const St& steps = {}) {
  if (tile_size < 1) throw OutsideDomain("tile_size = 0: needs 1 or more");
  Partial<Z> seen;
  for (std::size_t begin = 0; begin < v.rows(); begin += tile_size) {
    const std::vector<Term<Z>> tile = tile_of(terms, begin, begin + tile_size);
    seen = after_tile(std::move(seen), std::span<const Term<Z>>(tile), v, steps);
  }
  return finished(seen, steps);
}

/// The attention over all terms from the results over disjoint parts: L = LSE(L_i), o = Σ_i e^{L_i − L} o_i.
/// Source: own, on [SAS] alg. 3.
/// Domain: one part or more, of one width; a part without terms is left out. Error: an LSE; a difference, an exp, a
/// product and a sum a part.
template <class Z, Steps<PowerOf<Z>> St = Exact>
Attention<Z> merged(std::span<const Attention<Z>> parts, const St& steps = {}) {
  std::vector<Z> lse;
  for (const Attention<Z>& part : parts) lse.push_back(part.lse);
  Attention<Z> whole{{}, log_sum_exp(std::span<const Z>(lse), steps)};
  whole.o.resize(parts[0].o.size(), PowerOf<Z>(0));
  for (const Attention<Z>& part : parts) {
    require_length(part.o.size(), whole.o.size(), "part");
    const PowerOf<Z> share = steps.weights(steps.elementary(exp_score(Z(steps.accumulate(part.lse - whole.lse)))));
    for (std::size_t j = 0; j < whole.o.size(); ++j)
      whole.o[j] = steps.accumulate(whole.o[j] + steps.product(share * part.o[j]));
  }
  for (auto& entry : whole.o) entry = steps.output(entry);
  return whole;
}

}  // namespace assay::sas
