#pragma once

#include "problem/oracle.hpp"

namespace assay::sfda {

/// Outputs of an operator of the delta rule by the formulas as they are written, in MPFR at 50 digits. The radius is
/// that of writing the result as two doubles.                                                        [SFDA] eq. 13
References delta_rule_by_definition(const Case& c);

}  // namespace assay::sfda
