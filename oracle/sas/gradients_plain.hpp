#pragma once

#include <cstdint>

#include "problem/case.hpp"
#include "problem/precision.hpp"

namespace assay::sas {

/// The backward algorithm of a contract in float32, factors rounded where it says so and every sum in an order drawn
/// from `order`. Rule R2 compares kernels with it.
Tensors plain_gradients(const Case& c, const Contract& contract, std::uint64_t order);

}  // namespace assay::sas
