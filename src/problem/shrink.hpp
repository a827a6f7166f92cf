#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "problem/case.hpp"

namespace assay {

/// How long a failing case is made simpler.
struct ShrinkLimits {
  std::uint64_t tries = 300;
  double seconds = 5;
};

/// Makes a case that is simpler than another in one respect.
using Simplification = std::function<Case()>;

/// Ways to make a case simpler, the greatest first: fewer sequences, no packing, fewer heads, fewer tokens, no history,
/// narrower features and values; then fewer values that are not zero, and values of fewer bits. Where inputs are exact
/// only what leaves them exact. `c` must outlive them.
std::vector<Simplification> simplifications(const Case& c);

/// The simplest case on a way down on which every case fails. `c` must fail.
Case shrunk(Case c, const std::function<bool(const Case&)>& fails, const ShrinkLimits& limits = {});

}  // namespace assay
