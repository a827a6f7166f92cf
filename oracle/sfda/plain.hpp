#pragma once

#include <cstdint>

#include "problem/case.hpp"
#include "problem/precision.hpp"

namespace assay::sfda {

/// Outputs of an operator of the delta rule as a kernel with this contract may compute them: by tokens, or by chunks of
/// C in the form of chunk_factors.hpp, every number rounded where the contract says so, sums in an order drawn from
/// `order`.
Tensors plain_attention(const Case& c, const Contract& contract, std::uint64_t order);

}  // namespace assay::sfda
