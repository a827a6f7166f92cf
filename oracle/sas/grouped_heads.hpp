#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "oracle/sas/attention.hpp"

namespace assay::sas {

/// The key-value head that query head h of H reads: h / (H / H_kv).
/// Source: [SAS-notes] s3.1.
/// Domain: H a multiple of H_kv > 0, h < H.
inline std::size_t group_of(std::size_t h, std::size_t H, std::size_t H_kv) {
  if (H_kv == 0 || H % H_kv != 0)
    throw OutsideDomain("heads = " + std::to_string(H) + ": needs a multiple of kv_heads = " + std::to_string(H_kv));
  if (h >= H) throw OutsideDomain("head " + std::to_string(h) + ": there are " + std::to_string(H));
  return h / (H / H_kv);
}

/// Logits of every query head at one place; scores, selection and values of every key-value head. The heads of a group
/// share scores, gates and selected blocks.
template <class Z>
struct GroupedQuery {
  QueryPlace place;
  std::vector<std::vector<Z>> z;      ///< [H][t + 1]
  std::vector<std::vector<Z>> s;      ///< [H_kv][C]
  std::vector<BlockSet> selected;     ///< [H_kv]
  std::vector<Matrix<PowerOf<Z>>> v;  ///< [H_kv], each [n, dv]

  Query<Z> head(std::size_t h) const { return {place, z[h], s[group(h)]}; }
  std::size_t group(std::size_t h) const { return group_of(h, z.size(), v.size()); }
};

/// The gated attention of each query head.
/// Source: [SAS] eq. 9; [SAS-notes] s3.1.
/// Domain: as many scores and selections as key-value heads. Error: that of attention.
template <class Z, Steps<PowerOf<Z>> St = Exact>
std::vector<Attention<Z>> grouped_attention(const GroupedQuery<Z>& x, const GateRule& rule = {}, const St& steps = {}) {
  require_length(x.s.size(), x.v.size(), "s");
  require_length(x.selected.size(), x.v.size(), "selected");
  std::vector<Attention<Z>> heads;
  for (std::size_t h = 0; h < x.z.size(); ++h)
    heads.push_back(attention(training_terms(x.head(h), x.selected[x.group(h)], rule, steps), x.v[x.group(h)], steps));
  return heads;
}

}  // namespace assay::sas
