#pragma once

#include "problem/oracle.hpp"

namespace assay::sfda {

/// Outputs of an operator of the delta rule in doubles that raise a flag where they round: radius 0 wherever none was
/// raised, as on every case of an exact family, infinite elsewhere.
References exact_attention(const Case& c);

}  // namespace assay::sfda
