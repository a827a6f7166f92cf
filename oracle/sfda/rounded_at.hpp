#pragma once

#include <span>

#include "problem/oracle.hpp"

namespace assay::sfda {

/// Outputs of an operator of the delta rule in double, by the contract's algorithm (rounded_head.hpp), where steps of
/// the given kinds alone round as the contract says. The difference from the outputs without any kind is what these
/// roundings do. Error: that of double.
/// Elementary functions are right to the last place of float32; sums run in one chain, so that a kernel that sums in
/// blocks errs less there.
Values rounded_at(const Case& c, const Contract& contract, std::span<const StepKind> kinds);

}  // namespace assay::sfda
