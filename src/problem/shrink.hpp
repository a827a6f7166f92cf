#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "problem/case.hpp"

namespace assay {

/// How long a failing case is made simpler, in runs of a kernel.
struct ShrinkBudget {
  std::uint64_t runs = 500;  ///< in all
  double first_runs = 20;    ///< their work, in that of runs of the case as it was found
};

/// Makes a case that is simpler than another in one respect.
using Simplification = std::function<Case()>;

/// Ways to make a case simpler in one respect, the greatest first. `c` must outlive them.
using Simplify = std::function<std::vector<Simplification>(const Case& c)>;

/// Respects in which cases of an operator can be simpler, in the order in which they are tried: fewer sequences, no
/// packing, fewer heads, fewer tokens, fewer columns of v, positions from 0, no history, narrower features, a plainer
/// family; then fewer values that are not zero, and values of fewer bits.
std::vector<Simplify> simplifications(const Operator& op);

/// The simplest case on a way down on which every case fails. `c` must fail.
Case shrunk(Case c, const std::function<bool(const Case&)>& fails, const ShrinkBudget& budget = {});

}  // namespace assay
