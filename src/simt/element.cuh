#pragma once

#include <type_traits>

#include "arith/float_format.hpp"
#include "arith/rounding.hpp"
#include "simt/simt.cuh"

// What a kernel may ask of an element of any type: float, a storage format (Bf16, Fp16, Tf32), or on the host an
// element of a field.

namespace assay::simt {
inline namespace ASSAY_MACHINE {

/// Whether T is only stored, and computed with as float.
template <class T>
inline constexpr bool is_storage = std::is_same_v<T, Bf16> || std::is_same_v<T, Fp16> || std::is_same_v<T, Tf32>;

/// The type in which products of T are added up.
template <class T>
using Accumulator = std::conditional_t<is_storage<T>, float, T>;

/// a b + c: rounded once for float and double, exact in a field.
__device__ __forceinline__ float fma(float a, float b, float c) { return ::fmaf(a, b, c); }
__device__ __forceinline__ double fma(double a, double b, double c) { return ::fma(a, b, c); }
template <class T>
__device__ __forceinline__ T fma(const T& a, const T& b, const T& c) {
  return a * b + c;
}

/// x as a To: exactly where To holds it, else rounded once to nearest even. Fields convert to themselves only.
template <class To, class From>
__device__ __forceinline__ To convert(From x) {
  if constexpr (std::is_same_v<To, From>)
    return x;
  else if constexpr (std::is_same_v<To, float>)
    return to_float(x);
  else
    return round_to<To>(to_float(x));
}

}  // namespace ASSAY_MACHINE
}  // namespace assay::simt
