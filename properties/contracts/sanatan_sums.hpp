#pragma once

#include <cstdint>

#include "properties/contracts/sum_site.hpp"

// The sums inside a kernel of sanatan.feature_attention, each by cases in which nothing else can be seen. d is the
// number of dimensions of those cases; rows of a and the factors b as in SumSite.

namespace assay::sanatan_probes {

/// Tokens, and whether the state before them is the first term.
struct Keys {
  std::int64_t tokens = 1;
  bool after_state = false;

  std::size_t terms() const { return static_cast<std::size_t>(tokens) + (after_state ? 1 : 0); }
  std::size_t term_of(std::int64_t t) const { return static_cast<std::size_t>(t) + (after_state ? 1 : 0); }
};

/// Tokens enough for two chunks and a part of a third, or for a long scan.
std::int64_t several_chunks(const Kernel& kernel);

Terms read_S(const Kernel& kernel, std::int64_t d, const Terms& b, const std::vector<Terms>& rows);
Terms read_z(const Kernel& kernel, std::int64_t d, const Terms& b, const std::vector<Terms>& rows);
Terms scores(const Kernel& kernel, std::int64_t d, const Terms& b, const std::vector<Terms>& rows);
Terms values_over_keys(const Kernel& kernel, const Keys& keys, const Terms& b, const std::vector<Terms>& rows);
Terms weights_over_keys(const Kernel& kernel, const Keys& keys, const Terms& b, const std::vector<Terms>& rows);
Terms update_of_S(const Kernel& kernel, const Keys& keys, const Terms& b, const std::vector<Terms>& rows);
Terms update_of_z(const Kernel& kernel, const Keys& keys, const Terms& b, const std::vector<Terms>& rows);

}  // namespace assay::sanatan_probes
