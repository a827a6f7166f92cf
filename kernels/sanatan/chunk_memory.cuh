#pragma once

#include "kernels/sanatan/feature_source.cuh"
#include "kernels/sanatan/recurrence.cuh"
#include "kernels/warp_tile.cuh"

// What a block of the chunk kernel keeps in shared memory, and how it gets there.

namespace assay::kernels {
inline namespace ASSAY_MACHINE {
namespace sanatan {

constexpr int chunk_tokens = 64;
constexpr int chunk_warps = 4;
constexpr int chunk_threads = 32 * chunk_warps;
constexpr int chunk_channels = 6;
constexpr int chunk_dimensions = 8;  // of a slice
constexpr int chunk_slice = chunk_channels * chunk_dimensions;

/// A block's shared memory. Behind it lie S [slices * 48, columns] and z [slices * 48].
template <class Tile>
struct alignas(16) ChunkMemory {
  using T = typename Tile::Stored;
  using A = typename Tile::Accumulator;
  static constexpr int phi_stride = Tile::template stride<T>(chunk_slice);
  static constexpr int v_stride = Tile::template stride<T>(Tile::columns);
  static constexpr int weight_stride = Tile::template stride<T>(chunk_tokens);
  static constexpr int S_stride = Tile::template stride<A>(Tile::columns);

  T phi_q[chunk_tokens * phi_stride];       // [token, channel, dimension of the slice]
  T phi_k[chunk_tokens * phi_stride];       // [token, channel, dimension of the slice]
  T v[chunk_tokens * v_stride];             // [token, column]
  T weights[chunk_tokens * weight_stride];  // [token, earlier token]
  A denominators[chunk_tokens];

  static constexpr std::size_t bytes(int slices) {
    return sizeof(ChunkMemory) + static_cast<std::size_t>(slices) * chunk_slice * (S_stride + 1) * sizeof(A);
  }
};

/// The part of the state that a block keeps: some columns of S, and z.
template <class E, class Tile>
struct ChunkState {
  using A = typename Tile::Accumulator;
  static constexpr int stride = ChunkMemory<Tile>::S_stride;
  A* S;  // [rows, columns]: row = slice * 48 + channel * 8 + dimension of the slice
  A* z;  // [rows]
  int rows, first_column;

  __device__ ChunkState(ChunkMemory<Tile>& shared, int slices, int first_column)
      : S(reinterpret_cast<A*>(&shared + 1)),
        z(S + slices * chunk_slice * stride),
        rows(slices * chunk_slice),
        first_column(first_column) {}

  /// The feature's number in [c, d], or -1 for a row of padding.
  __device__ int feature(int row, int d) const {
    const int a = row / chunk_slice * chunk_dimensions + row % chunk_dimensions;
    return a < d ? row % chunk_slice / chunk_dimensions * d + a : -1;
  }

  __device__ void load(const Recurrence<E>& x, std::int64_t state) {
    for (int i = threadIdx.x; i < rows * Tile::columns; i += chunk_threads) {
      const int row = i / Tile::columns, column = i % Tile::columns, f = feature(row, x.d), j = first_column + column;
      const bool stored = x.S0 != nullptr && f >= 0 && j < x.dv;
      S[row * stride + column] = stored ? x.S0[(state + f) * x.dv + j] : A(0);
    }
    for (int row = threadIdx.x; row < rows; row += chunk_threads) {
      const int f = feature(row, x.d);
      z[row] = x.z0 != nullptr && f >= 0 ? x.z0[state + f] : A(0);
    }
  }

  __device__ void store(const Recurrence<E>& x, std::int64_t state) const {
    for (int i = threadIdx.x; i < rows * Tile::columns; i += chunk_threads) {
      const int row = i / Tile::columns, column = i % Tile::columns, f = feature(row, x.d), j = first_column + column;
      if (f >= 0 && j < x.dv) x.S[(state + f) * x.dv + j] = S[row * stride + column];
    }
    if (first_column != 0) return;
    for (int row = threadIdx.x; row < rows; row += chunk_threads)
      if (const int f = feature(row, x.d); f >= 0) x.z[state + f] = z[row];
  }
};

/// Brings one slice of the features of a chunk to shared memory, and zeros for what is not there.
template <class E, class Source, class Tile>
__device__ void stage_slice(ChunkMemory<Tile>& shared, const Source& source, FeatureBlock block) {
  using Memory = ChunkMemory<Tile>;
  using T = typename Tile::Stored;
  if (block.tokens < chunk_tokens || block.dimensions < chunk_dimensions) {
    for (int i = threadIdx.x; i < chunk_tokens * chunk_slice; i += chunk_threads) {
      const int t = i / chunk_slice, f = i % chunk_slice;
      if (t < block.tokens && f % chunk_dimensions < block.dimensions) continue;
      shared.phi_q[t * Memory::phi_stride + f] = shared.phi_k[t * Memory::phi_stride + f] =
          simt::convert<T>(typename Tile::Accumulator(0));
    }
  }
  source.visit(block, threadIdx.x, chunk_threads, [&](bool of_q, int t, int m, int a, auto feature) {
    (of_q ? shared.phi_q : shared.phi_k)[t * Memory::phi_stride + m * chunk_dimensions + a] = simt::convert<T>(feature);
  });
}

}  // namespace sanatan
}  // namespace ASSAY_MACHINE
}  // namespace assay::kernels
