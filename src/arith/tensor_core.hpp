#pragma once

#include <span>

#include "arith/float_format.hpp"

/// The sum D = C + Σ_k a_k b_k of one sm_90 tensor-core instruction (mma.sync, wgmma) with bf16, fp16 or tf32 products
/// and a float32 accumulator C:
///
///  1. A NaN among the addends, 0 · ∞ or ∞ - ∞ gives 0x7fffffff; otherwise an infinite addend gives that infinity.
///  2. Products are exact. A product's exponent is the sum of its operands' exponents, which are not normalised: a
///     subnormal has its format's emin. C has its own exponent, emin if subnormal.
///  3. The largest exponent E is taken over nonzero products and a nonzero C, and is never below -133.
///  4. Every addend is truncated toward zero to a multiple of 2^(E - 25); these are summed exactly, in one step.
///  5. The sum is rounded toward zero to float32, subnormals included; from 2^128 on it is infinite. A zero is +0.
///
/// Rules 1, 2, 4, 5: Xie et al., "MMA-Sim", arXiv 2511.10909. Differs from it in rule 3, as measured on an H200.
namespace assay::tensor_core {

inline constexpr int kept_fraction_bits = 25;  ///< rule 4
inline constexpr int exponent_floor = -133;    ///< rule 3

/// Products that one instruction sums in one step.
template <class T>
inline constexpr int block_length = 16;
template <>
inline constexpr int block_length<Tf32> = 8;

/// C + Σ_k a_k b_k over at most block_length<T> products, by the rules above in integers: the definition.
template <class T>
float dot(std::span<const T> a, std::span<const T> b, float c);

/// E of rule 3. Operands are finite.
template <class T>
int largest_exponent(std::span<const T> a, std::span<const T> b, float c);

/// A bound of |d - (C + Σ_k a_k b_k)| for d = dot(a, b, c), K = a.size() products: (K + 1) 2^(E - 25) for the
/// truncated addends, 2^-23 |d| or 2^-149 for the rounded sum. Infinite where d is not finite.
template <class T>
double error_bound(std::span<const T> a, std::span<const T> b, float c, float d);

/// D = A B + C of one warp's mma.sync.m16n8kK, K <= block_length<T>: the bits of `dot`, eight outputs at a time.
/// a [16,K] row-major, b [8,K] (B is column-major), c d [16,8] row-major; d may be c. Instances: K = block_length<T>,
/// and K = 8 for Bf16.
template <class T, int K = block_length<T>>
void mma_m16n8(const T* a, const T* b, const float* c, float* d);

}  // namespace assay::tensor_core
