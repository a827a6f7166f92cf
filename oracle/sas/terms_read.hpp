#pragma once

#include <cstddef>
#include <vector>

#include "arith/field_exponential.hpp"
#include "oracle/sas/head.hpp"
#include "oracle/sas/terms.hpp"

namespace assay::sas {

/// A number as a logit: itself, or in a field the logarithm of a power.
template <class Z>
Z logit_of(const PowerOf<Z>& x) {
  if constexpr (FieldElement<PowerOf<Z>>)
    return {field_exp_of_signed(x)};
  else
    return x;
}

/// What query t of a case reads, as the terms of its softmax.
template <class Z>
std::vector<Term<Z>> terms_read(const Head<PowerOf<Z>>& x, std::size_t t) {
  std::vector<Term<Z>> terms;
  for (const KeyRange& range : x.reads[t]) {
    const Z log_gate = logit_of<Z>(x.gate(t, range));
    for (std::size_t j = range.begin; j < range.end; ++j) {
      Term<Z> term{j, logit_of<Z>(x.scale * dot<PowerOf<Z>>(x.q.row(t), x.k.row(j)))};
      if (x.outside)
        term.factor = exp_score(log_gate);
      else
        term.logit = term.logit + log_gate;
      terms.push_back(term);
    }
  }
  return terms;
}

}  // namespace assay::sas
