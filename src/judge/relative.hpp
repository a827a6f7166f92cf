#pragma once

#include <vector>

#include "judge/verdict.hpp"

namespace assay {

/// R2 may call a kernel suspect when its error exceeds κ times that of the plain implementation. A row block's norm
/// over at least 64 elements varies little from one order of sums to another: the recorded spread of the largest of 8
/// plain runs stays below 2, and κ = 4 leaves as much again.
inline constexpr double kappa = 4;

/// What a row block has at least, so that its norms are statistics: a row's elements may share the error of one factor.
inline constexpr std::size_t block_elements = 64;
inline constexpr std::size_t block_rows = 8;

/// 2-norm and 99 % quantile of |error| over one block of rows.
struct BlockNorms {
  double norm = 0;
  double quantile = 0;
};

/// Elements of a block of rows of this length.
std::size_t block_length(std::size_t row);

/// The blocks of an output: consecutive rows until there are 64 elements and 8 rows. Elements the operator does not
/// determine are left out.
std::vector<BlockNorms> block_norms(const Tensor& got, const Reference& want, const Allowance& allowed);

/// Whether the kernel's error in some block exceeds κ max(e_plain, 4 u |o|), e_plain the largest of the plain runs and
/// u the unit roundoff of the output's format.
bool worse_than_plain(const Tensors& got, const std::vector<Tensors>& plain, const References& want,
                      const Allowances& allowed);

}  // namespace assay
