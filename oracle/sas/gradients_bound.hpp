#pragma once

#include "oracle/rounding_units.hpp"
#include "problem/oracle.hpp"

namespace assay::sas {

/// How wrong the gradients of a kernel with this contract may be (bounds.md, G1 to G4).
Allowances gradients_bound(const Case& c, const Contract& contract, const References& truth);

/// The same in arithmetic of these units, such as a format of few bits.
Allowances gradients_bound_with(const RoundingUnits& units, const Case& c, const Contract& contract,
                                const References& truth);

}  // namespace assay::sas
