#pragma once

#include "problem/case.hpp"

namespace assay::sanatan {

/// Outputs of sanatan.feature_attention over the field of the case, by definition: the causal double sum, plus what an
/// initial state adds to N and D.                                                    [SANATAN] s3.4 eq. 8, s3.5 eq. 9
Tensors feature_attention_over_field(const Case& c);

}  // namespace assay::sanatan
