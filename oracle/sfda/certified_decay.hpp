#pragma once

#include <cstddef>

#include "arith/delta_scan.hpp"
#include "oracle/matrix.hpp"

namespace assay::sfda {

/// Sets Λ of a block, the largest |λ| of each token and the error of λ (certificate.md, C1). `log_alpha` is [steps, d]
/// or, one for all dimensions, [steps, 1], or empty where α = 1; `theta` is [steps, d], or empty where Λ is real.
void set_decays(DeltaTokens& tokens, const Matrix<double>& log_alpha, const Matrix<double>& theta);

}  // namespace assay::sfda
