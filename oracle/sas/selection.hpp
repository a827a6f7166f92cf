#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "oracle/outside_domain.hpp"

namespace assay::sas {

/// Blocks of a query's history, block m of the text at m − 1, ascending.
using BlockSet = std::vector<std::size_t>;

inline BlockSet all_blocks(std::size_t count) {
  BlockSet blocks(count);
  std::iota(blocks.begin(), blocks.end(), std::size_t{0});
  return blocks;
}

namespace detail {

/// Blocks by falling score, the earlier of two equal ones first.
template <class Z>
BlockSet ranking(std::span<const Z> s) {
  for (std::size_t m = 0; m < s.size(); ++m)
    if (!(s[m] == s[m])) throw OutsideDomain("score of block " + std::to_string(m + 1) + " is no number");
  BlockSet order = all_blocks(s.size());
  std::ranges::stable_sort(order, [&](std::size_t m, std::size_t n) { return s[n] < s[m]; });
  return order;
}

}  // namespace detail

/// I = TopK(s, K): the min(K, C) blocks of the highest scores; of equal scores the earlier block.
/// Source: [SAS] eq. 3; [SAS-notes] s2.2.
/// Differs from [SAS]: a rule for ties is not stated there.
/// Domain: scores with an order; NaN is refused.
template <class Z>
BlockSet top_k(std::span<const Z> s, std::size_t K) {
  BlockSet chosen = detail::ranking(s);
  chosen.resize(std::min(K, s.size()));
  std::ranges::sort(chosen);
  return chosen;
}

/// τ: the K-th largest score.
/// Source: [SAS-notes] s2.8, alg. 3.
/// Domain: 1 ≤ K ≤ C.
template <class Z>
Z threshold(std::span<const Z> s, std::size_t K) {
  if (K < 1 || K > s.size())
    throw OutsideDomain("K = " + std::to_string(K) + ": a threshold needs 1 to " + std::to_string(s.size()));
  return s[detail::ranking(s)[K - 1]];
}

/// {m : s_m ≥ τ}: what the kernel tests a query and tile. Ties at τ all pass, so more than K blocks may.
/// Source: [SAS-notes] s2.8, alg. 3.
template <class Z>
BlockSet passing(std::span<const Z> s, const Z& tau) {
  BlockSet chosen;
  for (std::size_t m = 0; m < s.size(); ++m)
    if (!(s[m] < tau)) chosen.push_back(m);
  return chosen;
}

/// The threshold form of Top-K: none for K = 0, all for K ≥ C.
/// Source: [SAS-notes] s2.8, alg. 3.
template <class Z>
BlockSet threshold_top_k(std::span<const Z> s, std::size_t K) {
  if (K == 0) return {};
  return K >= s.size() ? all_blocks(s.size()) : passing(s, threshold(s, K));
}

}  // namespace assay::sas
