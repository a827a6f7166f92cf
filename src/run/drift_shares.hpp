#pragma once

#include "record/record.hpp"
#include "run/drift_series.hpp"

namespace assay {

/// What each kind of step does to the errors of a series over `tokens` tokens, at most a window: one row an output,
///
///   {kernel, family, output, at, kinds: {kind: share}, together, measured}
///
/// The kernel's algorithm is run in double with one kind rounding as the contract says and every other number exact. A
/// share is that kind's part of the sum of squares; `together` is the root of the mean of that sum, and `measured` that
/// of the kernel's own errors, both relative to |o|. They agree where the kinds err independently of each other.
/// Empty for an operator whose errors are not split so.
Json shares_of(const Series& series, std::int64_t tokens, const Tables& tables);

}  // namespace assay
