#pragma once

#include "problem/oracle.hpp"

namespace assay::sfda {

/// Allowances of the outputs of the delta rule's operators, for a kernel by scan, chunk_wy or decode (bounds.md).
Allowances attention_bound(const Case& c, const Contract& contract, const References& truth);

}  // namespace assay::sfda
