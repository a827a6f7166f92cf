#pragma once

#include "problem/oracle.hpp"

namespace assay::sfda {

/// Outputs of an operator of the delta rule on inputs of an exact family, in doubles: radius 0, and infinite where an
/// operation rounded. Decays are 0 or 1, phases 0 there.                                                 [SFDA] eq. 13
References exact_delta_rule(const Case& c);

}  // namespace assay::sfda
