#pragma once

#include "problem/oracle.hpp"

namespace assay::sanatan {

/// What a kernel of sanatan.attention or sanatan.feature_attention with this contract may be wrong by (bounds.md).
Allowances attention_bound(const Case& c, const Contract& contract, const References& truth);

}  // namespace assay::sanatan
