#pragma once

#include "kernels/operator_builds.hpp"
#include "kernels/sas/powers.cuh"

// Rows of one number a block, a row a token and head: one warp takes a row, its lanes every 32nd block.

namespace assay::kernels {
inline namespace ASSAY_MACHINE {
namespace sas {

constexpr int block_row_warps = 4;  // tokens a block of threads
constexpr int block_row_threads = 32 * block_row_warps;

/// A row of [tokens, H, blocks]. Blocks 0 ... history - 1 are full ones before the query's own; -1: there is no token.
struct BlockRow {
  std::int64_t index;
  int history;
};

struct BlockRows {
  const std::int64_t* cu_seqlens;  // [N + 1], rising from 0 to the number of tokens; or null: T tokens a sequence
  int b;                           // tokens a block
  int T, H, blocks;

  explicit BlockRows(const Call& call)
      : cu_seqlens(call.array<std::int64_t>("cu_seqlens")),
        b(static_cast<int>(call.parameter("b"))),
        T(static_cast<int>(call.size(Axis::time))),
        H(static_cast<int>(call.size(Axis::head))),
        blocks(static_cast<int>(call.size(Axis::block))) {}

  __device__ BlockRow of_warp() const {
    const int n = blockIdx.z;
    const std::int64_t sequence = cu_seqlens ? cu_seqlens[n] : std::int64_t(n) * T;
    const std::int64_t length = cu_seqlens ? cu_seqlens[n + 1] - sequence : T;
    const std::int64_t t = std::int64_t(blockIdx.x) * block_row_warps + threadIdx.x / 32;
    return {(sequence + t) * H + blockIdx.y, t < length ? static_cast<int>(t / b) : -1};
  }
};

/// The sum over a warp's lanes, by a tree of five levels; every lane has it.
template <class A>
__device__ A sum_over_lanes(A x) {
  for (int step = 16; step > 0; step /= 2) x = x + __shfl_xor_sync(0xffffffff, x, step);
  return x;
}

/// The largest logit of a warp's lanes; every lane has it.
template <class A>
__device__ A largest_over_lanes(A x) {
  for (int step = 16; step > 0; step /= 2) x = larger_logit(x, __shfl_xor_sync(0xffffffff, x, step));
  return x;
}

/// Roundings of a sum over 32 blocks, one a lane.
constexpr std::int64_t block_row_height = 5;

/// A kernel of block_row_threads threads with a warp a row.
template <class Kernel, class Argument>
void launch_block_rows(const Call& call, Kernel kernel, const Argument& x) {
  if (x.rows.T == 0) return;
  const auto tiles = static_cast<unsigned>((x.rows.T + block_row_warps - 1) / block_row_warps);
  const auto sequences = static_cast<unsigned>(call.size(Axis::sequences));
  simt::launch({.blocks = dim3(tiles, static_cast<unsigned>(x.rows.H), sequences), .threads = dim3(block_row_threads)},
               kernel, x);
}

/// What kernels of block rows take: small b give long rows.
inline Limits block_row_limits() {
  return {.feature = 1,
          .value = 1,
          .channels = {1},
          .blocks = {64, 1, 2, 4, 16},
          .initial_state = false,
          .final_state = false};
}

}  // namespace sas
}  // namespace ASSAY_MACHINE
}  // namespace assay::kernels
