#pragma once

#include <optional>
#include <vector>

#include "properties/contracts/sum_site.hpp"

namespace assay {

/// What cases can reach of a kernel: one for each operator whose contracts are probed.
struct Reach {
  std::vector<SumSite> sums;

  /// The values over keys of more than two chunks: their tree shows how many keys one takes.
  SumSite chunks;

  /// What comes out for a number that is kept in the state, and for one that is a finished quotient.
  std::function<Terms(const Terms&)> kept_S, kept_z, output;

  /// Rows before that of a NaN value which it reaches; absent where rows follow no time.
  std::function<std::int64_t()> rows_before_a_nan;

  /// o for N = -1, D = -1 and eps = 1/2: 2, or -2 where D is clamped at 0.
  std::function<double()> negative_normaliser;
};

/// Of a kernel from given features, in cases of d dimensions; nothing for a kernel of another operator.
std::optional<Reach> sanatan_reach(const Kernel& kernel, std::int64_t d);

/// A score that is 0 if features are not rounded, and what rounding makes of it.
struct ScoreNearZero {
  double returned;  ///< by the kernel
  std::function<double(double (*rounding)(double))> expected;
};

/// Of a kernel that computes features: scores of tokens whose angles are pi apart; none for other kernels.
std::vector<ScoreNearZero> sanatan_scores_near_zero(const Kernel& kernel);

}  // namespace assay
