#pragma once

#include <limits>
#include <type_traits>

#include "arith/field_exponential.hpp"
#include "kernels/function_sets.cuh"
#include "simt/element.cuh"

// Logits and their powers; floats take exp and log from `Functions`. Over a field a logit is a whole number of either
// sign, its power that of one element, and the order is that of the numbers. The largest logit of none is `no_logit`:
// -inf, or the least number.

namespace assay::kernels {
inline namespace ASSAY_MACHINE {
namespace sas {

template <class A>
__device__ A no_logit() {
  if constexpr (std::is_same_v<A, float>)
    return -elementary::detail::infinity();
  else
    return A(A::order / 2 + 1);
}

/// The larger logit; the other one if one is NaN.
__device__ inline float larger_logit(float x, float y) { return elementary::max(x, y); }
template <class F>
__device__ F larger_logit(F x, F y) {
  return signed_integer(x) < signed_integer(y) ? y : x;
}

/// e^x.
template <class Functions = Portable, class A>
__device__ A power_of(A x) {
  if constexpr (std::is_same_v<A, float>)
    return Functions::exp(x);
  else
    return field_exp_of_signed(x);
}

/// e^(x - m), m a largest logit: 0 where x is no logit, also where none is.
template <class Functions = Portable, class A>
__device__ A power_below(A x, A m) {
  if constexpr (std::is_same_v<A, float>)
    return power_of<Functions>(m == no_logit<float>() ? x : x - m);
  else
    return x == no_logit<A>() ? A(0) : power_of(x - m);
}

/// m + log l, L of the weights l that were taken relative to m; over a field e^L. That of no weight is -inf, or 0.
template <class Functions = Portable, class A>
__device__ A log_of_sum(A m, A l) {
  if constexpr (std::is_same_v<A, float>)
    return l == 0.0f ? no_logit<float>() : m + Functions::log(l);
  else
    return l == A(0) ? l : power_of(m) * l;
}

/// N / l; 0 of no weight.
template <class A>
__device__ A mean_of(A N, A l) {
  return l == A(0) ? A(0) : N / l;
}

}  // namespace sas
}  // namespace ASSAY_MACHINE
}  // namespace assay::kernels
