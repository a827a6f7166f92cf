#pragma once

#include <utility>

#include "problem/oracle.hpp"

namespace assay::sfda {

/// Allowances of P and Z of sfda.compose end to end: every node's roundings, taken along by the maps before and behind
/// it (bounds.md D6).
Allowances compose_bound(const Case& c, const Contract& contract, const References& truth);

/// What is due of each node, given the nodes that it is made of, and of P and Z, given the last one: one step's values
/// with their radius, and its roundings (bounds.md D6). `nodes` holds what a kernel returned.
std::pair<References, Allowances> compose_steps(const Case& c, const Contract& contract, const Tensors& nodes);

}  // namespace assay::sfda
