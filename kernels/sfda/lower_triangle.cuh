#pragma once

#include "kernels/sfda/shared_numbers.cuh"

namespace assay::kernels {
inline namespace ASSAY_MACHINE {
namespace sfda {

/// Tokens of a block of rows.
constexpr int block_tokens = 16;

/// A lower triangular matrix in shared memory by blocks of 16 rows: block m is a matrix [16, 16 (m + 1)], and blocks
/// follow each other.
template <class X>
struct LowerTriangle {
  Part<X>* data;
  int padding;  // of a row
  int plane;

  /// Elements of a plane of `blocks` blocks.
  static constexpr __host__ __device__ int count(int blocks, int padding) {
    return block_tokens * blocks * (block_tokens / 2 * (blocks + 1) + padding);
  }
  __device__ SharedNumbers<X> block(int m) const {
    return {data + count(m, padding), block_tokens * (m + 1) + padding, plane};
  }
  __device__ X operator()(int row, int column) const { return block(row / block_tokens)(row % block_tokens, column); }
};

/// Replaces L, of which only what is below the diagonal is read, by (I + L)^-1, zeros above the diagonal included.
///
/// M_tc = -(L_tc + sum_j L_tj M_jc), c < j < t: forward substitution, a thread a column, each entry one chain of
/// multiply-adds by rising j. Block after block of rows, read by all before it is replaced.
// Preconditions: every thread of the block comes here; 16 `blocks` threads at least.
template <class X>
__device__ void invert_unit_lower(const LowerTriangle<X>& L, int blocks) {
  const int c = threadIdx.x;
  for (int m = 0; m < blocks; ++m) {
    const SharedNumbers<X> rows = L.block(m);
    const int first = block_tokens * m;
    const bool there = c < first + block_tokens;
    X column[block_tokens];
    for (X& entry : column) entry = zero<X>();
    if (there) {
      for (int j = c; j < first; ++j) {
        const X above = L(j, c);
#pragma unroll
        for (int r = 0; r < block_tokens; ++r) column[r] = multiply_add(rows(r, j), above, column[r]);
      }
#pragma unroll
      for (int r = 0; r < block_tokens; ++r) {
#pragma unroll
        for (int s = 0; s < r; ++s) column[r] = multiply_add(rows(r, first + s), column[s], column[r]);
        column[r] = first + r < c ? zero<X>() : first + r == c ? one<X>() : -column[r];
      }
    }
    __syncthreads();
    for (int r = 0; r < block_tokens && there; ++r) rows.set(r, c, column[r]);
    __syncthreads();
  }
}

}  // namespace sfda
}  // namespace ASSAY_MACHINE
}  // namespace assay::kernels
