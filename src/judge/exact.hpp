#pragma once

#include "problem/oracle.hpp"
#include "problem/tensor.hpp"

namespace assay {

/// The references and allowances of a case on which no rounding can happen. The truth is then a value of the output's
/// format: where the radius is below half that format's spacing it is the only one in reach, and becomes hi with radius
/// 0. Elsewhere the radius stays, so that the verdict is indeterminate. Allowances become 0, and every element counts
/// as determined. `outputs` tells formats.
void demand_exactness(const Tensors& outputs, References& want, Allowances& allowed);

}  // namespace assay
