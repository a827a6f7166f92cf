#pragma once

#include <map>
#include <string_view>

#include "arith/field_exponential.hpp"
#include "kernels/sfda/numbers.cuh"
#include "problem/kernel.hpp"
#include "simt/elementary.cuh"

// The diagonal of Lambda, from its logarithms and phases.

namespace assay::kernels {
inline namespace ASSAY_MACHINE {
namespace sfda {

/// What an operator's Lambda is given by.
enum class Decays {
  none,           ///< Lambda = 1
  of_heads,       ///< log_alpha [tokens, H]
  of_dimensions,  ///< log_alpha [tokens, H, d]
  with_phases,    ///< log_alpha and theta [tokens, H, d]
};

__device__ inline float decay_of(float log_alpha) { return elementary::exp(log_alpha); }
template <class F>
__device__ F decay_of(F log_alpha) {
  return field_exp(log_alpha);
}

__device__ inline Complex<float> phase_of(float theta) { return {elementary::cos(theta), elementary::sin(theta)}; }
template <class F>
__device__ Complex<F> phase_of(F theta) {
  const Cx<F> phase = field_phase(theta);
  return {phase.re, phase.im};
}

/// lambda = alpha, or alpha e^(i theta), which rounds alpha, cos, sin and their products with alpha. e^-inf is 0.
template <class X>
struct Control {
  using A = Part<X>;
  const A* log_alpha;  // null: lambda = 1
  const A* theta;      // null for real numbers
  int width;           // decays of one token and head: d or 1

  Control(const Call& call, Decays decays)
      : log_alpha(decays == Decays::none ? nullptr : call.array<A>("log_alpha")),
        theta(decays == Decays::with_phases ? call.array<A>("theta") : nullptr),
        width(decays == Decays::of_heads ? 1 : static_cast<int>(call.size(Axis::feature))) {}

  /// Dimension i of one token and head; `row` counts these, row = token H + head.
  __device__ X operator()(std::int64_t row, int i) const {
    if (log_alpha == nullptr) return one<X>();
    const std::int64_t at = row * width + (width == 1 ? 0 : i);
    const A alpha = decay_of(log_alpha[at]);
    if constexpr (planes<X> == 1)
      return alpha;
    else
      return alpha * phase_of(theta[at]);
  }
};

/// What the functions of Lambda contribute to a contract.
inline std::map<std::string_view, double> control_ulps(Decays decays) {
  std::map<std::string_view, double> ulps;
  if (decays != Decays::none) ulps["exp"] = elementary::max_ulp::exp;
  if (decays != Decays::with_phases) return ulps;
  ulps["cos"] = elementary::max_ulp::cos;
  ulps["sin"] = elementary::max_ulp::sin;
  return ulps;
}

}  // namespace sfda
}  // namespace ASSAY_MACHINE
}  // namespace assay::kernels
