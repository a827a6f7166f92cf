#pragma once

#include "problem/case.hpp"

namespace assay::sfda {

/// Outputs of an operator of the delta rule over the field of the case, by definition: token after token, Λ of
/// field_exponential.hpp. A complex operator works in GF(p²), its planes over GF(p).                    [SFDA] eq. 13
Tensors delta_rule_over_field(const Case& c);

}  // namespace assay::sfda
