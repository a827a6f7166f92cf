#pragma once

#include <map>
#include <string_view>

#include "arith/field_exponential.hpp"
#include "kernels/function_sets.cuh"
#include "kernels/sfda/numbers.cuh"
#include "problem/kernel.hpp"

// The diagonal of Lambda, from its logarithms and phases; floats take exp, sin and cos from `Functions`.

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

template <class Functions, class A>
__device__ A decay_of(A log_alpha) {
  if constexpr (std::is_same_v<A, float>)
    return Functions::exp(log_alpha);
  else
    return field_exp(log_alpha);
}

template <class Functions, class A>
__device__ Complex<A> phase_of(A theta) {
  if constexpr (std::is_same_v<A, float>) {
    return {Functions::cos(theta), Functions::sin(theta)};
  } else {
    const Cx<A> phase = field_phase(theta);
    return {phase.re, phase.im};
  }
}

/// lambda = alpha, or alpha e^(i theta), which rounds alpha, cos, sin and their products with alpha. e^-inf is 0.
template <class X, class Functions>
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
    const A alpha = decay_of<Functions>(log_alpha[at]);
    if constexpr (planes<X> == 1)
      return alpha;
    else
      return alpha * phase_of<Functions>(theta[at]);
  }
};

/// What the functions of Lambda contribute to a contract.
template <class Functions = Portable>
std::map<std::string_view, double> control_ulps(Decays decays) {
  std::map<std::string_view, double> ulps;
  if (decays != Decays::none) ulps["exp"] = Functions::Ulp::exp;
  if (decays != Decays::with_phases) return ulps;
  ulps["cos"] = Functions::Ulp::cos;
  ulps["sin"] = Functions::Ulp::sin;
  return ulps;
}

}  // namespace sfda
}  // namespace ASSAY_MACHINE
}  // namespace assay::kernels
