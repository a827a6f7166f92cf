#pragma once

#include "problem/oracle.hpp"

namespace assay::sanatan {

/// What a kernel of sanatan.attention or sanatan.feature_attention with this contract may be wrong by (bounds.md).
Allowances attention_bound(const Case& c, const Contract& contract, const References& truth);

/// o of the N and D that such a kernel returned, and what its last roundings may do to it (B4, B8).
std::pair<References, Allowances> quotient_of_sums(const Case& c, const Contract& contract, const Tensors& sums);

}  // namespace assay::sanatan
