#pragma once

#include <optional>
#include <string>
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

/// What R2 lets pass, in units of the bound P: where sums cancel to nothing in one order of addition and not in
/// another, e_plain may be 0 by luck. κ times this is a sixteenth of P.
inline constexpr double unsuspicious = 1.0 / 64;

/// A row block in which the kernel's error exceeds what R2 allows.
struct WorseBlock {
  std::string output;
  std::size_t first;  ///< element
  bool by_norm;       ///< compared by 2-norm; else by 99 % quantile
  double kernel;      ///< its error, in units of P
  double plain;       ///< the largest error of the plain runs
};

/// "z[1, 0, 0, 0] and on: 2-norm of error / bound 1.2, of the plain runs at most 0.23".
std::string text(const WorseBlock& block, const Shape& shape);

/// The first block whose error exceeds κ max(e_plain, 4 u |o|, P / 64), e_plain the largest of the plain runs and u the
/// unit roundoff of the output's format. Errors are taken in units of each element's P: otherwise a row that is worse
/// conditioned than its neighbours would speak for the block, and with one error alone.
std::optional<WorseBlock> worse_than_plain(const Tensors& got, const std::vector<Tensors>& plain,
                                           const References& want, const Allowances& allowed);

}  // namespace assay
