#pragma once

#include <cstdint>

#include "properties/contracts/sum_site.hpp"

// The sums inside a kernel of softmax attention, each by cases in which nothing else can be seen. Rows of a and the
// factors b as in SumSite.

namespace assay::softmax_probes {

/// Σ_f q_f k_f over d features, which L is where there is one key.
Terms scores(const Kernel& kernel, std::int64_t d, const Terms& b, const std::vector<Terms>& rows);

/// Σ_j w_j v_j over so many keys, a power of two; no weight is above 1, and one is 1.
Terms values_over_keys(const Kernel& kernel, std::int64_t keys, const Terms& b, const std::vector<Terms>& rows);

/// Σ_j w_j over keys of one tile. Weights have no sign, so no ones can be wiped out: a row stands for its ones that are
/// added after the two huge terms have met, each asked for alone.
Terms weights_over_keys(const Kernel& kernel, std::int64_t keys, const Terms& b, const std::vector<Terms>& rows);

}  // namespace assay::softmax_probes
