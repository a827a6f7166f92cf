#pragma once

#include <optional>

#include "problem/oracle.hpp"

namespace assay {

/// How large an output's error is, in one number that two runs of the same case can be compared by: the mean of log2 of
/// the error's 2-norm over the blocks of rows. A difference of 1 is a factor of 2 in every block. A block without error
/// counts as 2^-10 u |o|, u the unit roundoff of the output's format. Nothing where the output has no whole block.
std::optional<double> error_level(const Tensor& got, const Reference& want, const Allowance& allowed);

}  // namespace assay
