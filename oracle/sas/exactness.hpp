#pragma once

#include <string>

#include "problem/case.hpp"
#include "problem/precision.hpp"

namespace assay::sas {

/// The first number at which a kernel with this contract rounds, in whatever order it sums; empty: there is none. One
/// key of a row leads all others so far that their weights are 0 in float32.
std::string rounding_of(const Case& c, const Contract& contract);

}  // namespace assay::sas
