#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "problem/precision.hpp"
#include "properties/contracts/sum_site.hpp"

namespace assay {

/// The order in which a sum is taken: a node adds its children in one step. Two children are one addition, more are an
/// instruction of tensor cores. Children are ordered by their least term.
struct SumTree {
  std::size_t term = 0;  ///< the least below the node; the leaf's own
  std::size_t leaves = 1;
  std::vector<SumTree> children;

  bool is_leaf() const { return children.empty(); }
  bool is_fused() const { return children.size() > 2; }
  friend bool operator==(const SumTree&, const SumTree&) = default;
};

/// The tree of a site, from sums of ones among which term i is huge and term j its negative: what comes out is the
/// number of terms that are added after the two have met, so it counts the leaves below their lowest common node. Terms
/// that meet in one node, as do all neighbours among them, are taken for its children. The method is that of Xie et
/// al., "FPRev: Revealing the Order of Floating-Point Summation", 2024.
SumTree revealed_tree(const SumSite& site);

/// Additions on the longest path from a term to the sum. A product that meets another one first is rounded before it
/// is added, if products round; one that meets a sum is fused with the addition.
std::int64_t height_of(const SumTree& tree, bool products_round);

/// Instructions on the longest path from a term to the sum.
std::int64_t chain_of(const SumTree& tree);

/// Terms of the block that holds term `first`: the largest part in which every step adds terms to one running sum.
std::size_t block_of(const SumTree& tree, std::size_t first);

/// sequential: one running sum takes every term in turn. tree: no path is longer than log2 of the terms demands.
Order order_of(const SumTree& tree);

/// "((0 1) 2)", cut after some terms.
std::string text_of(const SumTree& tree);

}  // namespace assay
