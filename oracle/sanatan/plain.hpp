#pragma once

#include <cstdint>

#include "problem/case.hpp"
#include "problem/precision.hpp"

namespace assay::sanatan {

/// The algorithm of a contract in float32 with its operands rounded where the contract says so, every sum over features
/// and over the keys of a chunk in an order drawn from `order`. What a careful author would write; rule R2 compares
/// kernels with it.
Tensors plain_attention(const Case& c, const Contract& contract, std::uint64_t order);

}  // namespace assay::sanatan
