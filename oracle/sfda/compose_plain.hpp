#pragma once

#include "problem/oracle.hpp"

namespace assay::sfda {

/// P and Z of sfda.compose in float32, composed as the contract's algorithm does, sums over features in an order drawn
/// from `order`.
Tensors plain_composition(const Case& c, const Contract& contract, std::uint64_t order);

/// The first entry at which a kernel with this contract rounds, in whatever order it sums; empty if there is none.
std::string rounding_of_composition(const Case& c, const Contract& contract);

}  // namespace assay::sfda
