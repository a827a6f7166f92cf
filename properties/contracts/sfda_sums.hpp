#pragma once

#include <cstdint>

#include "properties/contracts/sum_site.hpp"

// The sums inside a kernel of the delta rule, each by cases in which nothing else can be seen. Rows of a and the
// factors b as in SumSite. A sum of complex numbers is the real part of one: the terms of the first planes come before
// those of the second, so there are twice as many.

namespace assay::sfda_probes {

/// Σ_i conj(S_i) q_i over d dimensions; the token itself writes what the first plane has in the last of them.
Terms read(const Kernel& kernel, std::int64_t d, const Terms& b, const std::vector<Terms>& rows);

/// Σ_i conj(S_i) k_i, over d - 1 dimensions: the last one receives the update that takes it.
Terms predicted(const Kernel& kernel, std::int64_t d, const Terms& b, const std::vector<Terms>& rows);

/// Σ_i conj(k_i) q_i over d dimensions, of the first token's key with queries of the tokens from `first` on, before the
/// `end`-th.
struct Queries {
  std::int64_t first, end;
};
Terms scores(const Kernel& kernel, std::int64_t d, Queries queries, const Terms& b, const std::vector<Terms>& rows);

/// Σ_j A_j u_j over d tokens of one chunk and, as the last term, the state.
Terms values_over_tokens(const Kernel& kernel, std::int64_t d, const Terms& b, const std::vector<Terms>& rows);

/// Σ_j k_j conj(u_j) over so many tokens, at most d, and, as the last term, the state. d is a power of 2.
struct Writes {
  std::int64_t d, tokens, chunk;
  bool after_state;
};
Terms updates(const Kernel& kernel, const Writes& writes, const Terms& b, const std::vector<Terms>& rows);

}  // namespace assay::sfda_probes
