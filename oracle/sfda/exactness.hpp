#pragma once

#include <string>

#include "problem/case.hpp"
#include "problem/precision.hpp"

namespace assay::sfda {

/// The first number at which a kernel of the delta rule with this contract rounds, in whatever order it sums; empty if
/// there is none. `bits_less`: as if its states and outputs had so many bits less.
std::string rounding_of(const Case& c, const Contract& contract, int bits_less = 0);

}  // namespace assay::sfda
