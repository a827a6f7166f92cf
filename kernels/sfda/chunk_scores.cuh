#pragma once

#include "kernels/sfda/chunk_memory.cuh"

// Scores of a chunk, s_tj = sum_i conj(k_ji) conj(Gamma_tji) x_ti with x = k or q and Gamma_tj = lambda_(j+1) ...
// lambda_t, over one slice of the dimensions. Only products of lambdas are formed, no quotients and no differences of
// logarithms. Warp w owns the tokens 16 w ... 16 w + 15, as rows and as columns of the scores.

namespace assay::kernels {
inline namespace ASSAY_MACHINE {
namespace sfda {

/// A slice of the dimensions, and what reads: q, or k.
struct Slice {
  int number;
  bool of_q;
};

/// Brings the warp's tokens to shared memory, undecayed.
template <class E, class X, class Memory>
__device__ void stage_tokens(const Memory& shared, const DeltaRule<E, X>& x, const Chunk& chunk, Slice slice) {
  const int first = threadIdx.x / 32 * block_tokens;
  for (int entry = simt::lane_id(); entry < block_tokens * Memory::slice; entry += 32) {
    const int t = first + entry / Memory::slice, a = entry % Memory::slice, i = slice.number * Memory::slice + a;
    const bool there = t < chunk.length && i < x.d;
    const std::int64_t row = x.row(chunk.begin + t, chunk.h), at = row * x.d + i;
    shared.left.set(t, a, !there ? zero<X>() : slice.of_q ? x.q[at] : x.k[at]);
    shared.right.set(t, a, there ? x.k[at] : zero<X>());
    shared.lambda.set(t, a, there ? x.lambda(row, i) : one<X>());
  }
}

/// Adds the slice's part of a score; the first one replaces what is there.
template <class A>
__device__ void add_part(A& score, A part, bool first) {
  score = first ? part : score + part;
}

/// Scores among the warp's own tokens, j <= t for q and j < t for k, and zeros above them. Two lanes share a row, each
/// with half of the slice: w_tj = conj(Gamma_tj) x_t takes one factor an earlier j.
template <class X, class Memory>
__device__ void add_scores_within(const Memory& shared, Slice slice) {
  constexpr int dimensions = Memory::slice / 2;
  const int warp = threadIdx.x / 32, first = warp * block_tokens;
  const int row = simt::lane_id() / 2, a = simt::lane_id() % 2 * dimensions;
  const SharedNumbers<X> scores = shared.weights.block(warp).from(0, first), k = shared.right.from(first),
                         lambda = shared.lambda.from(first);
  X w[dimensions];
  for (int i = 0; i < dimensions; ++i) w[i] = shared.left(first + row, a + i);
  for (int step = 0; step < block_tokens; ++step) {
    const bool seen = step <= row;
    const int j = seen ? row - step : row - step + block_tokens;
    X sum = zero<X>();
    for (int i = 0; i < dimensions && seen; ++i) {
      if (step > 0) w[i] = conjugate(lambda(j + 1, a + i)) * w[i];
      sum = multiply_add(w[i], conjugate(k(j, a + i)), sum);
    }
    const X other = number_of<X>([&](int p) { return __shfl_xor_sync(0xffffffff, part_of(sum, p), 1); });
    if (a != 0) continue;
    const X score = seen && (slice.of_q || step > 0) ? sum + other : zero<X>();
    for (int p = 0; p < planes<X>; ++p) add_part(scores.part(p, row, j), part_of(score, p), slice.number == 0);
  }
}

/// Decays the warp's tokens within their block: left_t = conj(lambda_first ... lambda_t) x_t, right_j = lambda_(j+1)
/// ... lambda_last k_j.
template <class X, class Memory>
__device__ void decay_within(const Memory& shared) {
  const int warp = threadIdx.x / 32, first = warp * block_tokens, a = simt::lane_id();
  if (a >= Memory::slice) return;
  X decay = one<X>();
  for (int t = first; t < first + block_tokens; ++t) {
    decay = shared.lambda(t, a) * decay;
    shared.left.set(t, a, conjugate(decay) * shared.left(t, a));
  }
  shared.totals.set(warp, a, decay);
  decay = one<X>();
  for (int t = first + block_tokens - 1; t >= first; --t) {
    shared.right.set(t, a, decay * shared.right(t, a));
    decay = shared.lambda(t, a) * decay;
  }
}

/// Scores of later blocks' tokens with the warp's own: the right factor decays by one block's total after the other,
/// and at the end holds lambda_(j+1) ... lambda_C k_j.
template <class X, class Tiles, class Memory>
__device__ void add_scores_between(const Memory& shared, int blocks, Slice slice) {
  using Tile = NumberTile<X, typename Tiles::template Of<block_tokens>>;
  const int warp = threadIdx.x / 32, lane = simt::lane_id(), first = warp * block_tokens;
  const SharedNumbers<X> right = shared.right.from(first);
  for (int m = warp + 1; m < blocks; ++m) {
    Tile part =
        Tile::product_with_conjugate(by_rows(shared.left.from(m * block_tokens)), by_columns(right), Memory::slice);
    const SharedNumbers<X> scores = shared.weights.block(m).from(0, first);
    part.for_each(
        [&](int p, int row, int column, Part<X> s) { add_part(scores.part(p, row, column), s, slice.number == 0); });
    __syncwarp();
    for (int entry = lane; entry < block_tokens * Memory::slice; entry += 32) {
      const int t = entry / Memory::slice, a = entry % Memory::slice;
      right.set(t, a, shared.totals(m, a) * right(t, a));
    }
    __syncwarp();
  }
}

/// What of the chunk's start is left at the start of each block, and at its end: by one thread a dimension.
template <class X, class Memory>
__device__ void carry_totals(const Memory& shared, int blocks) {
  const int a = threadIdx.x;
  if (a >= Memory::slice) return;
  X decay = one<X>();
  shared.carried.set(0, a, decay);
  for (int m = 0; m < blocks; ++m) {
    decay = shared.totals(m, a) * decay;
    shared.carried.set(m + 1, a, decay);
  }
}

/// Decays the warp's left factor from the start of the chunk on: it is conj(G_t) x_t, ready to read S_0.
template <class X, class Memory>
__device__ void decay_from_start(const Memory& shared) {
  const int warp = threadIdx.x / 32, first = warp * block_tokens;
  for (int entry = simt::lane_id(); entry < block_tokens * Memory::slice; entry += 32) {
    const int t = first + entry / Memory::slice, a = entry % Memory::slice;
    shared.left.set(t, a, conjugate(shared.carried(warp, a)) * shared.left(t, a));
  }
  __syncwarp();
}

/// One slice: stages it, adds its part of all scores, and leaves the left factor conj(G_t) x_t to the warp that owns it
/// and the right one to all.
// Preconditions: every thread of the block comes here; every warp is done with its own rows of left and lambda, and all
// with right and totals.
template <class Tiles, class E, class X, class Memory>
__device__ void add_slice(const Memory& shared, const DeltaRule<E, X>& x, const Chunk& chunk, Slice slice) {
  const int blocks = chunk.blocks();
  const bool active = static_cast<int>(threadIdx.x / 32) < blocks;
  if (active) {
    __syncwarp();  // the slice before has been read
    stage_tokens(shared, x, chunk, slice);
    __syncwarp();
    add_scores_within<X>(shared, slice);
    __syncwarp();
    decay_within<X>(shared);
  }
  __syncthreads();
  if (active) add_scores_between<X, Tiles>(shared, blocks, slice);
  carry_totals<X>(shared, blocks);
  __syncthreads();
  if (active) decay_from_start<X>(shared);
}

}  // namespace sfda
}  // namespace ASSAY_MACHINE
}  // namespace assay::kernels
