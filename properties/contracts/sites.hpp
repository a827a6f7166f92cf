#pragma once

#include <optional>
#include <vector>

#include "properties/contracts/sum_site.hpp"

namespace assay {

/// What a kernel hands on as it is, and what comes out for numbers that go in.
struct HandedThrough {
  std::string_view name;
  std::function<Terms(const Terms&)> seen;
};

/// What cases can reach of a kernel: one for each operator whose contracts are probed.
struct Reach {
  std::vector<SumSite> sums;

  /// A sum over keys of several chunks: its tree shows how many keys one takes.
  SumSite chunks;

  /// What comes out for a number that is kept in a state.
  std::vector<HandedThrough> kept;

  /// What comes out for a number that is a finished output.
  std::function<Terms(const Terms&)> output;

  /// Rows before that of a NaN value, or of a NaN key, which it reaches; absent where rows follow no time or keys are
  /// no inputs.
  std::function<std::int64_t()> rows_before_a_nan, rows_before_a_nan_key;

  /// o for N = -1, D = -1 and eps = 1/2: 2, or -2 where D is clamped at 0; absent where nothing is normalised.
  std::function<double()> negative_normaliser;

  /// Of a softmax: whether weights are summed as they are before they are rounded, whether powers are of two; and
  /// whether subnormal values count as 0.
  std::function<bool()> wide_normaliser, base_two, flushes_subnormals;
};

/// Of a kernel of SANATAN from given features, of one of the delta rule, and of one of softmax attention, its
/// gradients or block selection, in cases of d dimensions, a power of 2; nothing for a kernel of another operator.
std::optional<Reach> sanatan_reach(const Kernel& kernel, std::int64_t d);
std::optional<Reach> sfda_reach(const Kernel& kernel, std::int64_t d);
std::optional<Reach> softmax_reach(const Kernel& kernel, std::int64_t d);
std::optional<Reach> softmax_gradient_reach(const Kernel& kernel, std::int64_t d);
std::optional<Reach> selection_reach(const Kernel& kernel, std::int64_t d);

/// A score that is 0 if features are not rounded, and what rounding makes of it.
struct ScoreNearZero {
  double returned;  ///< by the kernel
  std::function<double(double (*rounding)(double))> expected;
};

/// Of a kernel that computes features: scores of tokens whose angles are pi apart; none for other kernels.
std::vector<ScoreNearZero> sanatan_scores_near_zero(const Kernel& kernel);

}  // namespace assay
