#pragma once

#include <cstdint>

#include "properties/contracts/sum_site.hpp"

// The sums inside a kernel of the gradients of softmax attention, each by cases in which nothing else can be seen: the
// stored o and L need not be those of the other inputs. Rows of a and the factors b as in SumSite.

namespace assay::softmax_probes {

/// Two tiles of queries, or of keys.
constexpr std::int64_t two_tiles = 128;

/// Σ_f q_f k_f over d features, by its power. Shown to 8 bits in bf16.
Terms recomputed_scores(const Kernel& kernel, std::int64_t d, const Terms& b, const std::vector<Terms>& rows);

/// <do, v>, and <do, o>, over so many columns.
Terms values_along(const Kernel& kernel, std::int64_t columns, const Terms& b, const std::vector<Terms>& rows);
Terms deltas(const Kernel& kernel, std::int64_t columns, const Terms& b, const std::vector<Terms>& rows);

/// Over two tiles: of queries P do and dS q, of keys dS k. b is P, or dS.
Terms value_gradients(const Kernel& kernel, const Terms& b, const std::vector<Terms>& rows);
Terms key_gradients(const Kernel& kernel, const Terms& b, const std::vector<Terms>& rows);
Terms query_gradients(const Kernel& kernel, const Terms& b, const std::vector<Terms>& rows);

/// Σ_j dS_j over a block of one tile; b is not read.
Terms gate_gradients(const Kernel& kernel, const Terms& b, const std::vector<Terms>& rows);

}  // namespace assay::softmax_probes
