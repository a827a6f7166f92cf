#pragma once

#include "problem/oracle.hpp"

namespace assay::sfda {

/// The certified outputs of an operator of the delta rule, where MPFR at 50 digits knows them better: certificate.md
/// C5. Slow.                                                                                            [SFDA] eq. 13
References refined_delta_rule(const Case& c, const References& certified);

}  // namespace assay::sfda
