#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <span>
#include <utility>

#include "arith/rational.hpp"
#include "oracle/outside_domain.hpp"
#include "oracle/sas/selection.hpp"

namespace assay::sas {

/// The union of the layers' sets.
/// Source: [SAS] eq. 11; [SAS-notes] s4.6.
inline BlockSet union_of(std::span<const BlockSet> layers) {
  BlockSet all;
  for (const BlockSet& layer : layers) {
    BlockSet sum;
    std::ranges::set_union(all, layer, std::back_inserter(sum));
    all = std::move(sum);
  }
  return all;
}

/// |I ∩ I*| / |I*|: what share of the wanted blocks is there. Blocks that are there unwanted cost nothing.
/// Source: [SAS] eq. 11; [SAS-notes] s4.6.
/// Domain: I* is not empty.
inline Rational recall(const BlockSet& there, const BlockSet& wanted) {
  if (wanted.empty()) throw OutsideDomain("recall of 0 wanted blocks: needs one or more");
  BlockSet both;
  std::ranges::set_intersection(there, wanted, std::back_inserter(both));
  return Rational(both.size()) / Rational(wanted.size());
}

/// What half of the votes is: not enough, or enough. [SAS] does not say.
enum class EvenVote { rejects, accepts };

/// The blocks that most heads of a group have chosen. Their number is not that of a head's.
/// Source: [SAS-notes] s4.6.
inline BlockSet majority(std::span<const BlockSet> heads, EvenVote even) {
  std::map<std::size_t, std::size_t> votes;
  for (const BlockSet& head : heads)
    for (const std::size_t block : head) ++votes[block];
  BlockSet chosen;
  for (const auto& [block, count] : votes)
    if (2 * count > heads.size() || (2 * count == heads.size() && even == EvenVote::accepts)) chosen.push_back(block);
  return chosen;
}

}  // namespace assay::sas
