#pragma once

#include <cstddef>
#include <limits>

#include "arith/inexact_flag.hpp"
#include "problem/oracle.hpp"

namespace assay {

/// Stores a double as element i: with radius 0, or infinite where something led to it that was rounded.
inline void set(Reference& reference, std::size_t i, const FlaggedNumber& x) {
  reference.hi[i] = x.value();
  reference.radius[i] = x.inexact() ? std::numeric_limits<double>::infinity() : 0;
}

}  // namespace assay
