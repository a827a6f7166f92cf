#pragma once

#include <type_traits>

#include "arith/float_format.hpp"
#include "arith/rounding.hpp"
#include "simt/simt.cuh"

// What a kernel template needs to know of its element type E: in which type it computes, and how to get there and back.
// Floats and storage formats compute in float; an element of a field computes in its field, exactly.

namespace assay::simt {
inline namespace ASSAY_MACHINE {

template <class E>
struct Element {
  using Accumulator = E;
};
template <>
struct Element<Bf16> {
  using Accumulator = float;
};
template <>
struct Element<Fp16> {
  using Accumulator = float;
};
template <>
struct Element<Tf32> {
  using Accumulator = float;
};

/// The type in which sums of E are kept.
template <class E>
using Accumulator = typename Element<E>::Accumulator;

/// x in its accumulator's type, exactly.
template <class E>
__device__ Accumulator<E> widen(E x) {
  if constexpr (std::is_same_v<E, Accumulator<E>>)
    return x;
  else
    return to_float(x);
}

/// x rounded once, to nearest even, to E.
template <class E>
__device__ E narrow(Accumulator<E> x) {
  if constexpr (std::is_same_v<E, Accumulator<E>>)
    return x;
  else
    return round_to<E>(x);
}

/// x as a To: rounded once, to nearest even, where To does not hold it. Both have the same accumulator.
template <class To, class From>
__device__ To convert(From x) {
  if constexpr (std::is_same_v<To, From>)
    return x;
  else
    return narrow<To>(widen(x));
}

/// a b + c in one rounding.
__device__ inline float multiply_add(float a, float b, float c) { return fmaf(a, b, c); }
template <class K>
__device__ K multiply_add(K a, K b, K c) {
  return a * b + c;
}

/// A parameter of a case as a number of type A: rounded to float, or an integer in its field.
template <class A>
A parameter_as(double x) {
  if constexpr (std::is_same_v<A, float>)
    return static_cast<float>(x);
  else
    return A(static_cast<std::int64_t>(x));
}

}  // namespace ASSAY_MACHINE
}  // namespace assay::simt
