#pragma once

#include "oracle/rounding_units.hpp"
#include "oracle/sas/head.hpp"
#include "problem/oracle.hpp"

namespace assay::sas {

/// How wrong o and L of a kernel with this contract may be (bounds.md).
Allowances attention_bound(const Case& c, const Contract& contract, const References& truth);

/// Sets that of one head's rows; `units` are the contract's, or those of a format of few bits.
void set_attention_bound(const Head<double>& x, const Contract& contract, const RoundingUnits& units,
                         const References& truth, Allowances& out);

}  // namespace assay::sas
