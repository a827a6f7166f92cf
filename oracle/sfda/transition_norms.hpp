#pragma once

#include <cstddef>
#include <memory>

#include "arith/complex.hpp"
#include "arith/delta_scan.hpp"
#include "oracle/matrix.hpp"

namespace assay::sfda {

/// An upper bound of ‖A‖₂; infinite where A is not finite.
double spectral_norm(const Matrix<Cx<double>>& A);

/// Sets the norms of every token of a block from its k, q, beta and decay; growth is the product of the steps' norms.
/// Keeps the first tokens whose growth stays below 2^64, at least one.
void set_norms(DeltaTokens& tokens);

/// Products of transitions, block after block, and their norms; certificate.md, C3.
class TransitionProduct {
 public:
  virtual ~TransitionProduct() = default;

  /// Appends a block; an upper bound of ‖A_C … A_1‖₂ over its tokens.
  virtual double append(const DeltaTokens& tokens) = 0;
  /// An upper bound of the 2-norm of the product of all blocks, infinite for less than two; the next begins anew.
  virtual double finish() = 0;
};

std::unique_ptr<TransitionProduct> transition_product(std::size_t features, bool complex);

}  // namespace assay::sfda
