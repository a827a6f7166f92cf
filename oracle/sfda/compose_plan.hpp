#pragma once

#include <cstddef>
#include <vector>

#include "problem/precision.hpp"

namespace assay::sfda {

/// Where the composition of a stretch of maps stands: a map that is given, or the node of that token.
struct MapPlace {
  bool is_node = false;
  std::size_t token = 0;
};

/// The node of a token: second ∘ first.
struct ComposeStep {
  std::size_t token;
  MapPlace second, first;
};

/// In what order a kernel composes the maps of a sequence, parts before what is made of them. Every token but the first
/// has a node, so that n maps take n - 1 steps; the first one's is its own map.
struct ComposePlan {
  std::vector<ComposeStep> steps;
  MapPlace root;
};

/// compose_in_order: the node of token t composes the maps up to t. compose_as_tree: the earlier part of a stretch has
/// the largest power of two of maps that leaves some over, and the node is that of the later part's first token.
/// Source: [SFDA] s2.2, eq. 10, Lemma A.2; the tree: own.
/// Domain: at least one map, one of these two algorithms.
ComposePlan compose_plan(Algorithm algorithm, std::size_t maps);

}  // namespace assay::sfda
