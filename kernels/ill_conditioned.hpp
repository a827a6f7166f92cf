#pragma once

#include "problem/operator.hpp"
#include "problem/precision.hpp"

namespace assay {

/// The part of a kernel's contract that its operator's conditioning decides: families on which roundings are magnified,
/// and how many times.
std::map<std::string_view, double> ill_conditioned_families(const Operator& op, const Contract& contract);

}  // namespace assay
