#pragma once

#include "problem/oracle.hpp"

namespace assay::sas {

/// How wrong o and L of a kernel with this contract may be (bounds.md).
Allowances attention_bound(const Case& c, const Contract& contract, const References& truth);

}  // namespace assay::sas
