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

/// <phi_q, phi_k> of two tokens whose angles are pi apart, one for each x, as the kernel returns it from q = k = x; and
/// what it is when features are rounded to a format. Without that rounding it is 0.
struct OppositeAngles {
  Terms inputs;
  std::function<Terms(const Terms& x)> scores;
  double (*rounded_score)(double x, Format features);
};
std::optional<OppositeAngles> sanatan_opposite_angles(const Kernel& kernel);

}  // namespace assay
