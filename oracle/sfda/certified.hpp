#pragma once

#include "problem/oracle.hpp"

namespace assay::sfda {

/// Outputs of an operator of the delta rule in double-double with a certified radius (certificate.md): infinite, with
/// the value 0, where a column of the state grows beyond 2^500 or its certificate overflows. On exact inputs radius 0.
References certified_delta_rule(const Case& c);

}  // namespace assay::sfda
