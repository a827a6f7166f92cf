#pragma once

#include "problem/oracle.hpp"

namespace assay::sanatan {

/// Outputs of sanatan.attention and sanatan.feature_attention at p = 1 and six or three channels, by the formulas as
/// they are written, in MPFR at 50 digits. The radius is that of writing the result as two doubles.
References attention_by_definition(const Case& c);

}  // namespace assay::sanatan
