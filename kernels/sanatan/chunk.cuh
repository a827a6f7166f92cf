#pragma once

#include "kernels/build.hpp"
#include "kernels/sanatan/chunk_memory.cuh"
#include "problem/operators/sanatan.hpp"

namespace assay::kernels {
inline namespace ASSAY_MACHINE {
namespace sanatan {

/// The recurrence by chunks of 64 tokens. With the state (S, z) of everything before a chunk,
///   N_t = phi_q^T S + sum_j s_tj v_j,   D_t = phi_q^T z + sum_j s_tj   over the tokens j <= t of the chunk,
/// and the next chunk starts from S + sum_j phi_k v_j^T, z + sum_j phi_k.
///
/// One block takes one sequence, one head and Tile::columns columns of S, which stay in shared memory. Features come in
/// slices of 8 dimensions; warp w takes the rows 16 w ... 16 w + 15 of the scores and of N, warps 0 to 2 the rows of
/// the slice's update. Scores are formed again for every block of columns.
/// Cost a token: c d (2 dv + 48 ceil(dv / columns)) multiply-adds and 2 barriers a slice.
// Grid: (ceil(dv / columns), H, N). Block: 128 threads, ChunkMemory::bytes(ceil(d / 8)) of dynamic shared memory.
// Preconditions: c = 6.
template <class E, class Source, class Tile>
__global__ void __launch_bounds__(chunk_threads) chunk(Recurrence<E> x, Source source) {
  using A = typename Tile::Accumulator;
  using T = typename Tile::Stored;
  using Memory = ChunkMemory<Tile>;
  constexpr int across = chunk_tokens / Tile::columns;
  auto& shared = *simt::dynamic_shared<Memory>();
  const int thread = threadIdx.x, warp = thread / 32, lane = thread % 32, h = blockIdx.y, n = blockIdx.z;
  const int slices = (x.d + chunk_dimensions - 1) / chunk_dimensions;
  const int first_row = 16 * warp, row = first_row + lane / 2, half = lane % 2;  // two lanes share a normaliser
  const int keys = first_row + 16;                                               // that the warp's rows can see
  ChunkState<E, Tile> state(shared, slices, blockIdx.x * Tile::columns);
  state.load(x, x.state(n, h));
  const std::int64_t end = x.end(n);
  for (std::int64_t begin = x.begin(n); begin < end; begin += chunk_tokens) {
    const int length = end - begin < chunk_tokens ? static_cast<int>(end - begin) : chunk_tokens;
    const int depth = (length + 15) / 16 * 16;
    const bool active = first_row < length;
    __syncthreads();  // the values of the chunk before have been read
    for (int i = thread; i < chunk_tokens * Tile::columns; i += chunk_threads) {
      const int t = i / Tile::columns, column = i % Tile::columns, j = state.first_column + column;
      const bool there = t < length && j < x.dv;
      shared.v[t * Memory::v_stride + column] = simt::convert<T>(there ? x.v[x.row(begin + t, h) + j] : E{});
    }
    Tile scores[across], N = Tile::zero();
    for (Tile& tile : scores) tile = Tile::zero();
    A D = A(0);
    for (int slice = 0; slice < slices; ++slice) {
      const int first = slice * chunk_dimensions;
      stage_slice<E>(shared, source,
                     {.token = begin,
                      .step = begin - x.begin(n),
                      .tokens = length,
                      .n = n,
                      .h = h,
                      .dimension = first,
                      .dimensions = min(x.d - first, chunk_dimensions)});
      __syncthreads();
      A* const S = state.S + slice * chunk_slice * state.stride;
      A* const z = state.z + slice * chunk_slice;
      const auto q = by_rows(shared.phi_q + first_row * Memory::phi_stride, Memory::phi_stride);
      if (active) {
#pragma unroll
        for (int i = 0; i < across; ++i)
          if (i * Tile::columns < keys)
            scores[i] += Tile::product(
                q, by_columns(shared.phi_k + i * Tile::columns * Memory::phi_stride, Memory::phi_stride), chunk_slice);
        N += Tile::product(q, by_rows(S, state.stride), chunk_slice);
        A part = A(0);
        for (int f = half; f < chunk_slice; f += 2)
          part = simt::multiply_add(simt::widen(shared.phi_q[row * Memory::phi_stride + f]), z[f], part);
        D = D + part;
      }
      const bool updates = first_row < chunk_slice;
      Tile update = Tile::zero();
      if (updates)
        update = Tile::product(by_columns(shared.phi_k + first_row, Memory::phi_stride),
                               by_rows(shared.v, Memory::v_stride), depth);
      A sum = A(0);
      for (int t = 0; t < length && thread < chunk_slice; ++t)
        sum = sum + simt::widen(shared.phi_k[t * Memory::phi_stride + thread]);
      __syncthreads();  // S, z and the slice have been read
      if (updates)
        update.for_each([&](int i, int column, A value) {
          A& entry = S[(first_row + i) * state.stride + column];
          entry = entry + value;
        });
      if (thread < chunk_slice) z[thread] = z[thread] + sum;
    }
    if (!active) continue;
#pragma unroll
    for (int i = 0; i < across; ++i)
      scores[i].for_each([&](int r, int column, A s) {
        const int t = first_row + r, j = i * Tile::columns + column;
        shared.weights[t * Memory::weight_stride + j] = simt::convert<T>(j <= t ? s : A(0));
      });
    __syncwarp();
    N += Tile::product(by_rows(shared.weights + first_row * Memory::weight_stride, Memory::weight_stride),
                       by_rows(shared.v, Memory::v_stride), keys);
    A part = A(0);
    for (int j = half; j < keys; j += 2) part = part + simt::widen(shared.weights[row * Memory::weight_stride + j]);
    D = D + part;
    D = D + __shfl_xor_sync(0xffffffff, D, 1);
    if (half == 0) {
      shared.denominators[row] = positive_part(D) + x.eps_raw;
      if (x.D != nullptr && row < length && blockIdx.x == 0) x.D[(begin + row) * x.H + h] = D;
    }
    __syncwarp();
    N.for_each([&](int r, int column, A value) {
      const int t = first_row + r, j = state.first_column + column;
      if (t >= length || j >= x.dv) return;
      const std::int64_t at = x.row(begin + t, h) + j;
      x.o[at] = simt::narrow<E>(value / shared.denominators[t]);
      if (x.N != nullptr) x.N[at] = value;
    });
  }
  __syncthreads();
  state.store(x, x.state(n, h));
}

/// Columns of S a block: 16 where numbers take 8 bytes, so that the state of d = 128 fits.
template <class E>
constexpr int chunk_columns = sizeof(simt::Accumulator<E>) == 8 ? 16 : 32;

template <class E, class Product>
using ChunkFragments = FragmentTileOf<E, Product, chunk_columns<E>>;

template <class E>
using ChunkBf16 = ChunkFragments<E, simt::Bf16Product>;
template <class E>
using ChunkTf32 = ChunkFragments<E, simt::Tf32Product<Rounding::nearest_away>>;
template <class E>
using ChunkThreeTf32 = ChunkFragments<E, simt::ThreeTf32Product>;

template <class E>
using ChunkFma = RegisterTile<simt::Accumulator<E>, chunk_columns<E>>;

template <template <class> class Source, template <class> class TileOf>
struct Chunk {
  template <class E>
  struct On {
    static void launch(const Call& call) {
      using Tile = TileOf<E>;
      const Recurrence<E> x(call);
      const auto tiles = static_cast<unsigned>((x.dv + Tile::columns - 1) / Tile::columns);
      const auto heads = static_cast<unsigned>(x.H), sequences = static_cast<unsigned>(call.size(Axis::sequences));
      simt::launch({.blocks = dim3(tiles, heads, sequences),
                    .threads = dim3(chunk_threads),
                    .shared_bytes = ChunkMemory<Tile>::bytes((x.d + chunk_dimensions - 1) / chunk_dimensions)},
                   chunk<E, Source<E>, Tile>, x, Source<E>(call));
    }
  };
};

/// Roundings of a chunk, in order (the first addition to zero is exact):
///   1. phi: none if given, else those of `encode`; then to bf16 for bf16 products.
///   2. Scores and the read-out phi_q^T S, a sum over the features: the 48 of a slice in one chain of fma, or of 3, 6
///   or
///      18 instructions (bf16, tf32, 3xtf32); then ceil(d / 8) slices, each added once. S is rounded to bf16 or tf32 as
///      it is loaded for this product; what is kept is not.
///   3. Weights: the scores with j <= t; to bf16 for bf16 products. Other products round them as operands only.
///   4. N: weights x v over the tokens of the chunk, one chain from 0, added once to the read-out.
///   5. D: phi_q^T z by fma for every product, 24 features of a slice a lane, slices added; then the lane's weights of
///   3,
///      at most 32, one chain from 0, added once; the two lanes' parts added; clamped at 0; eps_raw
///      added.
///   6. o: N / D, then to the output's format.
///   7. S: sum_j phi_k v_j over the chunk, one chain from 0, added once. z: the same by additions.
inline Contract chunk_contract(Format element, Product product) {
  const bool fma = product == Product::fma, bf16 = product == Product::bf16;
  constexpr std::int64_t slices = 128 / chunk_dimensions;
  return {.algorithm = Algorithm::chunk,
          .input = element,
          .product = product,
          .features = bf16 ? Format::bf16 : Format::f32,
          .weights = bf16 ? Format::bf16 : Format::f32,
          .state_operand = bf16 ? Format::bf16 : Format::f32,
          .output = element,
          .order = Order::blocked,
          .tf32_input = Tf32Input::rna,
          .chunk = chunk_tokens,
          .mma_chain = fma                        ? 0
                       : bf16                     ? 4
                       : product == Product::tf32 ? 8
                                                  : 24,
          .score_height = (fma ? chunk_slice : 0) + slices - 1,
          .value_height = fma ? chunk_tokens + 1 : chunk_tokens / 2 + 1,
          .read_height = fma ? chunk_slice + slices : chunk_slice / 2 + slices + 1,
          .update_height = fma ? chunk_tokens : chunk_tokens - 1,
          .causal_tile = 16,
          .clamps_normaliser = true};
}

std::vector<Build> chunk_builds() {
  const Limits limits{.feature = 128, .value = 128, .channels = {chunk_channels}, .powers = {1}, .sums = true};
  const Operator& given = operators::sanatan_feature_attention();
  const Operator& computed = operators::sanatan_attention();
  const Contract f32 = chunk_contract(Format::f32, Product::fma), tf32 = chunk_contract(Format::f32, Product::tf32),
                 three_tf32 = chunk_contract(Format::f32, Product::three_tf32),
                 bf16 = chunk_contract(Format::bf16, Product::bf16);
  const auto encoded = [](Contract contract) {
    contract.elementary_ulp = encoding_ulps();
    return contract;
  };
  return {
      build<Chunk<GivenFeatures, ChunkFma>::On, float>("chunk.f32", given, f32, limits),
      build<Chunk<GivenFeatures, ChunkTf32>::On, float>("chunk.f32.tf32", given, tf32, limits),
      build<Chunk<GivenFeatures, ChunkThreeTf32>::On, float>("chunk.f32.3xtf32", given, three_tf32, limits),
      build<Chunk<GivenFeatures, ChunkBf16>::On, Bf16>("chunk.bf16.mma", given, bf16, limits),
      real_build<Chunk<ComputedFeatures, ChunkFma>::On, float>("chunk.f32", computed, encoded(f32), limits),
      real_build<Chunk<ComputedFeatures, ChunkTf32>::On, float>("chunk.f32.tf32", computed, encoded(tf32), limits),
      real_build<Chunk<ComputedFeatures, ChunkThreeTf32>::On, float>("chunk.f32.3xtf32", computed, encoded(three_tf32),
                                                                     limits),
      real_build<Chunk<ComputedFeatures, ChunkBf16>::On, Bf16>("chunk.bf16.mma", computed, encoded(bf16), limits),
  };
}

}  // namespace sanatan
}  // namespace ASSAY_MACHINE
}  // namespace assay::kernels
