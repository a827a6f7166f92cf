#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "oracle/matrix.hpp"
#include "oracle/sas/selection.hpp"

namespace assay::sas {

/// Token t, from 0, of a sequence in blocks of b. Its own block B_0 is tokens ⌊t/b⌋ b to t, whatever comes later is
/// masked; the C = ⌊t/b⌋ full blocks before it are its history.                                    [SAS-notes] s2.1
struct QueryPlace {
  std::size_t t = 0;
  std::size_t block_size = 1;

  std::size_t visible() const { return t + 1; }
  std::size_t history() const { return t / block_size; }
  std::size_t current_begin() const { return history() * block_size; }
};

/// One query of one head: z_i the scaled logits of tokens 0 to t, s_m the scores of its history.
template <class Z>
struct Query {
  QueryPlace place;
  std::vector<Z> z;  ///< [t + 1]
  std::vector<Z> s;  ///< [C]
};

/// Throws unless the query has a logit a visible token, a score a block, and `selected` are blocks of its history.
template <class Z>
void require_query(const Query<Z>& x, const BlockSet& selected) {
  if (x.place.block_size < 1) throw OutsideDomain("block_size = 0: needs 1 or more");
  require_length(x.z.size(), x.place.visible(), "z");
  require_length(x.s.size(), x.place.history(), "s");
  for (std::size_t i = 0; i < selected.size(); ++i) {
    if (selected[i] >= x.place.history())
      throw OutsideDomain("selected block " + std::to_string(selected[i] + 1) + ": the history has " +
                          std::to_string(x.place.history()));
    if (i > 0 && selected[i] <= selected[i - 1]) throw OutsideDomain("selected blocks do not ascend");
  }
}

}  // namespace assay::sas
