#pragma once

#include <string>

#include "problem/case.hpp"
#include "problem/precision.hpp"

namespace assay::sanatan {

/// The first number at which a kernel with this contract rounds on a case of sanatan.feature_attention, in whatever
/// order it sums; empty if there is none. `bits_less`: as if its states and outputs had so many bits less.
std::string rounding_of(const Case& c, const Contract& contract, int bits_less = 0);

}  // namespace assay::sanatan
