#pragma once

#include "simt/element.cuh"

namespace assay::simt {
inline namespace ASSAY_MACHINE {

/// C += A B with the fragments of FragmentLayout<16>, without tensor cores: each output is the chain of fma over k =
/// 0 … 15 from C on, its operands fetched from the lanes that hold them.
template <class T>
__device__ __forceinline__ void shuffled_mma(const T (&a)[8], const T (&b)[4], T (&c)[4]) {
  constexpr unsigned whole_warp = 0xffffffff;
  const int lane = lane_id();
  const int row = lane / 4;
  const int column = 2 * (lane % 4);
  for (int k = 0; k < 16; ++k) {
    const int quad_lane = k % 8 / 2;  // among the four lanes that hold one row of A, or one column of B
    const int half = k / 8;
    const T upper = __shfl_sync(whole_warp, a[k % 2 + 4 * half], 4 * row + quad_lane);
    const T lower = __shfl_sync(whole_warp, a[k % 2 + 4 * half + 2], 4 * row + quad_lane);
    const T left = __shfl_sync(whole_warp, b[k % 2 + 2 * half], 4 * column + quad_lane);
    const T right = __shfl_sync(whole_warp, b[k % 2 + 2 * half], 4 * (column + 1) + quad_lane);
    c[0] = multiply_add(upper, left, c[0]);
    c[1] = multiply_add(upper, right, c[1]);
    c[2] = multiply_add(lower, left, c[2]);
    c[3] = multiply_add(lower, right, c[3]);
  }
}

}  // namespace ASSAY_MACHINE
}  // namespace assay::simt
