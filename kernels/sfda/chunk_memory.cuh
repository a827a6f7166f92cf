#pragma once

#include "kernels/sfda/delta_rule.cuh"
#include "kernels/sfda/lower_triangle.cuh"

// What a block of the chunk kernel keeps in shared memory.

namespace assay::kernels {
inline namespace ASSAY_MACHINE {
namespace sfda {

/// Some tokens of one sequence and head, at most C of them.
struct Chunk {
  std::int64_t begin;
  int length, h;

  /// Blocks of 16 tokens, the last perhaps not full.
  __device__ int blocks() const { return (length + block_tokens - 1) / block_tokens; }
};

/// What a block takes at a time: columns of S, and dimensions.
template <int columns_, int slice_>
struct ChunkShape {
  static constexpr int columns = columns_, slice = slice_;
};

/// A block's shared memory, for chunks of C tokens and d dimensions in slices. What lies beyond the chunk's tokens, d
/// or dv is zero, and Lambda one.
template <class X, class Tiles, class Shape>
struct ChunkMemory {
  using A = Part<X>;
  static constexpr int columns = Shape::columns, slice = Shape::slice;
  static constexpr int padding = Tiles::template Of<16>::template stride<A>(16) - 16;

  LowerTriangle<X> weights;  // [C, C]: L, then M, then A
  SharedNumbers<X> S;        // [slices * slice, columns]
  SharedNumbers<X> u;        // [C, columns]: R, then U
  SharedNumbers<X> left;     // [C, slice]: q or k, decayed from the start of its block, then of the chunk
  SharedNumbers<X> right;    // [C, slice]: k, decayed to the end of its block, then of later ones
  SharedNumbers<X> lambda;   // [C, slice]
  SharedNumbers<X> totals;   // [C / 16, slice]: the product of Lambda over a block
  SharedNumbers<X> carried;  // [C / 16 + 1, slice]: the product of the totals before a block
  A* beta;                   // [C]

  __device__ ChunkMemory(int C, int slices) {
    A* next = simt::dynamic_shared<A>();
    const int blocks = C / block_tokens, triangle = LowerTriangle<X>::count(blocks, padding);
    weights = {next, padding, triangle};
    next += planes<X> * triangle;
    const auto take = [&next](int rows, int width) {
      const SharedNumbers<X> matrix{next, width + padding, rows * (width + padding)};
      next += planes<X> * matrix.plane;
      return matrix;
    };
    S = take(slices * slice, columns);
    u = take(C, columns);
    left = take(C, slice);
    right = take(C, slice);
    lambda = take(C, slice);
    totals = take(blocks, slice);
    carried = take(blocks + 1, slice);
    beta = next;
  }

  static std::size_t bytes(int C, int slices) {
    const int blocks = C / block_tokens;
    const int numbers = LowerTriangle<X>::count(blocks, padding) + (slices * slice + C) * (columns + padding) +
                        (3 * C + 2 * blocks + 1) * (slice + padding);
    return static_cast<std::size_t>(planes<X> * numbers + C) * sizeof(A);
  }
};

/// Calls use(i, column, index in S) for the entries of the state that the block keeps; index -1: of padding.
template <class Memory, class E, class X, class Use>
__device__ void for_each_entry(const DeltaRule<E, X>& x, int rows, int n, int h, Use use) {
  for (int entry = threadIdx.x; entry < rows * Memory::columns; entry += blockDim.x) {
    const int i = entry / Memory::columns, column = entry % Memory::columns;
    const int j = blockIdx.x * Memory::columns + column;
    use(i, column, i < x.d && j < x.dv ? x.state(n, h, i) + j : -1);
  }
}

}  // namespace sfda
}  // namespace ASSAY_MACHINE
}  // namespace assay::kernels
