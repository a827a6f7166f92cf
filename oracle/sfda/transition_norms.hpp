#pragma once

#include <cstddef>

#include "arith/delta_scan.hpp"

namespace assay::sfda {

/// Sets the norms of every token of a block from its k, q, beta and decay; growth is the product of the steps' norms.
/// Keeps the first tokens whose growth stays below 2^64, at least one.
void set_norms(DeltaTokens& tokens);

/// An upper bound of ‖A_C … A_1‖₂ over all tokens of the block, from the Gram matrix of the product; certificate.md,
/// C3.
double product_norm(const DeltaTokens& tokens);

}  // namespace assay::sfda
