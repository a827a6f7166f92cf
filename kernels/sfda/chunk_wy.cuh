#pragma once

#include <algorithm>

#include "kernels/sfda/chunk_scores.cuh"
#include "kernels/sfda/operator_builds.cuh"

namespace assay::kernels {
inline namespace ASSAY_MACHINE {
namespace sfda {

constexpr int largest_chunk = 128;

/// R_t = beta_t (v_t - conj(G_t k_t*) S_0): the warp's rows of it, from those of the read-out.
template <class E, class X, class Memory, class Tile>
__device__ void store_residuals(const Memory& shared, const DeltaRule<E, X>& x, const Chunk& chunk, Tile& read) {
  const int first = threadIdx.x / 32 * block_tokens;
  read.for_each([&](int p, int row, int column, Part<X> predicted) {
    const int t = first + row, j = blockIdx.x * Memory::columns + column;
    const bool there = t < chunk.length && j < x.dv;
    const std::int64_t at = x.row(chunk.begin + t, chunk.h) * x.dv + j;
    shared.u.part(p, t, column) = there ? shared.beta[t] * (simt::widen(x.v.part[p][at]) - predicted) : Part<X>(0);
  });
}

/// L from its scores: row t of the warp's rows is multiplied by beta_t.
template <class X, class Memory>
__device__ void scale_rows(const Memory& shared) {
  const int warp = threadIdx.x / 32, first = warp * block_tokens, width = first + block_tokens;
  const SharedNumbers<X> rows = shared.weights.block(warp);
  for (int entry = simt::lane_id(); entry < block_tokens * width; entry += 32) {
    const int row = entry / width, j = entry % width;
    rows.set(row, j, shared.beta[first + row] * rows(row, j));
  }
}

/// U = M R in place of R.
// Preconditions: every thread of the block comes here.
template <class Tile, class Memory>
__device__ void multiply_by_inverse(const Memory& shared, int blocks) {
  const int warp = threadIdx.x / 32, first = warp * block_tokens;
  Tile u = Tile::zero();
  if (warp < blocks) u = Tile::product(by_rows(shared.weights.block(warp)), by_rows(shared.u), first + block_tokens);
  __syncthreads();  // R has been read
  if (warp < blocks)
    u.for_each([&](int p, int row, int column, auto value) { shared.u.part(p, first + row, column) = value; });
  __syncthreads();
}

/// S = G_C S + sum_j (Gamma_Cj k_j) u_j*, the rows of one slice. A warp takes some of the columns.
// Preconditions: every thread of the block comes here.
template <class X, class Tiles, class Memory>
__device__ void update_state(const Memory& shared, int blocks, int slice) {
  constexpr int width = Memory::columns < 16 ? Memory::columns : 16;
  using Tile = NumberTile<X, typename Tiles::template Of<width>>;
  const SharedNumbers<X> S = shared.S.from(slice * Memory::slice);
  const int first = threadIdx.x / 32 * width, depth = blocks * block_tokens, step = blockDim.x / 32 * width;
  Tile sums[Memory::columns / width];
#pragma unroll
  for (int i = 0; i < Memory::columns / width; ++i) {
    if (first + i * step >= Memory::columns) continue;
    const auto u = by_rows(shared.u.from(0, first + i * step));
    if constexpr (Memory::slice < 16)
      sums[i] = Tile::product_with_conjugate(by_columns(shared.right, Memory::slice), u, depth);
    else
      sums[i] = Tile::product_with_conjugate(by_columns(shared.right), u, depth);
  }
  __syncthreads();  // S and the right factor have been read
#pragma unroll
  for (int i = 0; i < Memory::columns / width; ++i) {
    if (first + i * step >= Memory::columns) continue;
    const SharedNumbers<X> part = S.from(0, first + i * step);
    for (int entry = simt::lane_id(); entry < Memory::slice * width; entry += 32) {
      const int a = entry / width, j = entry % width;
      part.set(a, j, shared.carried(blocks, a) * part(a, j));
    }
    __syncwarp();
    sums[i].for_each([&](int p, int a, int j, Part<X> sum) {
      if (a >= Memory::slice) return;
      Part<X>& entry = part.part(p, a, j);
      entry = entry + sum;
    });
  }
}

/// The recurrence by chunks of C tokens in WY form, [SFDA] theorem 4.2. With S_0 the state before a chunk, Gamma_tj =
/// lambda_(j+1) ... lambda_t and G_t = lambda_1 ... lambda_t,
///   L_tj = beta_t sum_i conj(k_ji) conj(Gamma_tji) k_ti for j < t,    M = (I + L)^-1,
///   A_tj = sum_i conj(k_ji) conj(Gamma_tji) q_ti for j <= t,
///   R_t = beta_t (v_t - sum_i conj(G_ti) k_ti conj(S_0i)),    U = M R,
///   o_t = sum_i conj(G_ti) q_ti conj(S_0i) + sum_j A_tj u_j,
/// and the next chunk starts from S = G_C S_0 + sum_j (Gamma_Cj k_j) u_j*.
///
/// One block takes one sequence, one head and Memory::columns columns of S, which stay in shared memory with one
/// triangle [C, C]. Dimensions come in slices, first for k and then for q; warp w takes the rows 16 w ... 16 w + 15.
/// Cost a token: d (3 dv + 2 C ceil(dv / columns)) + C dv + C^2 ceil(dv / columns) / 6 multiply-adds, about.
// Grid: (ceil(dv / columns), H, N). Block: a warp for 16 tokens of the longest chunk, ChunkMemory::bytes(C, slices) of
// dynamic shared memory. Preconditions: C is 16, 32, 64 or 128; d <= 128. S may be the same array as S0.
template <class E, class X, class Tiles, class Shape>
__global__ void __launch_bounds__(2 * largest_chunk) chunk_wy(DeltaRule<E, X> x, int C) {
  using A = Part<X>;
  using Memory = ChunkMemory<X, Tiles, Shape>;
  using Tile = NumberTile<X, typename Tiles::template Of<Memory::columns>>;
  const int warp = threadIdx.x / 32, first = warp * block_tokens, h = blockIdx.y, n = blockIdx.z;
  const int slices = (x.d + Memory::slice - 1) / Memory::slice, rows = slices * Memory::slice;
  const Memory shared(C, slices);
  for_each_entry<Memory>(x, rows, n, h, [&](int i, int column, std::int64_t at) {
    shared.S.set(i, column, x.S0.given() && at >= 0 ? x.S0[at] : zero<X>());
  });
  const std::int64_t end = x.end(n);
  for (std::int64_t begin = x.begin(n); begin < end; begin += C) {
    const Chunk chunk{begin, end - begin < C ? static_cast<int>(end - begin) : C, h};
    const int blocks = chunk.blocks();
    const bool active = warp < blocks;
    __syncthreads();  // the chunk before is done with
    for (int t = threadIdx.x; t < C; t += blockDim.x)
      shared.beta[t] = t < chunk.length ? x.beta[x.row(begin + t, h)] : A(0);
    Tile read = Tile::zero();
    for (int slice = 0; slice < slices; ++slice) {
      add_slice<Tiles>(shared, x, chunk, {slice, false});
      if (active)
        read += Tile::product_with_conjugate(by_rows(shared.left.from(first)),
                                             by_rows(shared.S.from(slice * Memory::slice)), Memory::slice);
    }
    if (active) {
      store_residuals(shared, x, chunk, read);
      scale_rows<X>(shared);
    }
    __syncthreads();
    invert_unit_lower(shared.weights, blocks);
    multiply_by_inverse<Tile>(shared, blocks);
    read = Tile::zero();
    for (int slice = 0; slice < slices; ++slice) {
      add_slice<Tiles>(shared, x, chunk, {slice, true});
      if (active)
        read += Tile::product_with_conjugate(by_rows(shared.left.from(first)),
                                             by_rows(shared.S.from(slice * Memory::slice)), Memory::slice);
      update_state<X, Tiles>(shared, blocks, slice);
    }
    if (!active) continue;
    read += Tile::product(by_rows(shared.weights.block(warp)), by_rows(shared.u), first + block_tokens);
    read.for_each([&](int p, int row, int column, A value) {
      const int t = first + row, j = blockIdx.x * Memory::columns + column;
      if (t < chunk.length && j < x.dv) x.o.part[p][x.row(begin + t, h) * x.dv + j] = simt::narrow<E>(value);
    });
  }
  __syncthreads();
  for_each_entry<Memory>(x, rows, n, h, [&](int i, int column, std::int64_t at) {
    if (at >= 0) x.S.set(at, shared.S(i, column));
  });
}

template <class X>
using ChunkFma = RegisterTiles<Part<X>>;

/// Fragments for tensor cores; over a field, where there are none, the same fragments multiplied exactly.
template <class X, class Product>
using ChunkFragments = FragmentTiles<std::conditional_t<sizeof(Part<X>) == 8, simt::FmaProduct<Part<X>>, Product>>;

template <class X>
using ChunkBf16 = ChunkFragments<X, simt::Bf16Product>;
template <class X>
using ChunkTf32 = ChunkFragments<X, simt::Tf32Product<Rounding::nearest_away>>;
template <class X>
using ChunkThreeTf32 = ChunkFragments<X, simt::ThreeTf32Product>;

template <class Tiles, class Shape, class E, class X>
void launch_chunk_wy_of(const DeltaRule<E, X>& x, int C, unsigned sequences) {
  const unsigned tiles = (static_cast<unsigned>(x.dv) + Shape::columns - 1) / Shape::columns;
  const int warps = (std::clamp(x.T, 1, C) + block_tokens - 1) / block_tokens;
  simt::launch({.blocks = dim3(tiles, static_cast<unsigned>(x.H), sequences),
                .threads = dim3(32 * static_cast<unsigned>(warps)),
                .shared_bytes = ChunkMemory<X, Tiles, Shape>::bytes(C, (x.d + Shape::slice - 1) / Shape::slice)},
               chunk_wy<E, X, Tiles, Shape>, x, C);
}

/// Picks an instance whose shared memory suffices: complex numbers over a field take 16 bytes.
template <class Tiles, class E, class X>
void launch_chunk_wy(const DeltaRule<E, X>& x, int C, unsigned sequences) {
  if constexpr (sizeof(X) > 8)
    if (C > 64) return launch_chunk_wy_of<RegisterTiles<Part<X>>, ChunkShape<8, 4>>(x, C, sequences);
  launch_chunk_wy_of<Tiles, ChunkShape<32, 16>>(x, C, sequences);
}

template <template <class> class Number, Decays decays, template <class> class TilesOf>
struct ChunkWy {
  template <class E>
  struct On {
    static void launch(const Call& call) {
      using X = Number<simt::Accumulator<E>>;
      launch_chunk_wy<TilesOf<X>>(DeltaRule<E, X>(call, decays), static_cast<int>(call.parameter("C")),
                                  static_cast<unsigned>(call.size(Axis::sequences)));
    }
  };
};

/// Roundings of a chunk, in order. A complex product takes two a component, a complex multiply-add two fma. A tile
/// product is a chain from 0 over its depth, of fma or of depth / 16, depth / 8 or 3 depth / 8 instructions (bf16,
/// tf32, 3xtf32), and for complex numbers one addition of two such chains; its factors are rounded to bf16, tf32 or
/// pairs of tf32 as they are loaded, what is kept is not. Otherwise everything is float32; a product by 1 and an
/// addition to zero are exact. Of a token t, b is the first one of its block of 16, e the last, m the number of blocks
/// before.
///   1. lambda, as `Control` says. It is 1 without decays.
///   2. Of what reads: P_t = lambda_b ... lambda_t, t - b products; conj(P_t) x_t, one product. D_m is P_e, H_m is
///      D_0 ... D_(m-1), m - 1 products, and G_C the same over all blocks. conj(H_m) times conj(P_t) x_t is
///      conj(G_t) x_t, one product.
///   3. Of keys: lambda_(j+1) ... lambda_e, e - j - 1 products; times k_j, one product; times D of each later block,
///      one product each, of those before the block of t in a score, and of all in S.
///   4. Scores in one block of 16, by fma for every product: w_tj, t - j products; half of a slice a lane, a chain of 8
///      multiply-adds from 0; the two halves added; ceil(d / 16) slices, each added once.
///   5. Scores between blocks: the tile product of conj(P_t) x_t and the key of 3 over a slice; slices added as in 4.
///   6. L: beta times the score with k. M_tc: a chain of t - c - 1 multiply-adds from L_tc on.
///   7. R: the tile product of conj(G_t) k_t and conj(S_0) over a slice; slices added as in 4; v minus that; beta times
///      that. U: the tile product M R over the tokens up to e.
///   8. o: conj(G_t) q_t and conj(S_0) as in 7; A U, a tile product over the tokens up to e, A the scores with q, is
///      added once; then to the output's format.
///   9. S: the tile product of the keys of 3 and conj(U) over all blocks; G_C S_0, one product; their sum.
/// Heights are those of d = C = 128.
inline Contract chunk_wy_contract(Format element, Product product, int planes, Decays decays) {
  const bool fma = product == Product::fma, bf16 = product == Product::bf16;
  constexpr std::int64_t slice = 16, slices = 128 / slice;
  const std::int64_t combined = planes - 1;
  return {.algorithm = Algorithm::chunk,
          .input = element,
          .product = product,
          .features = bf16 ? Format::bf16 : Format::f32,
          .weights = bf16 ? Format::bf16 : Format::f32,
          .state_operand = bf16 ? Format::bf16 : Format::f32,
          .output = element,
          .order = Order::blocked,
          .tf32_input = Tf32Input::rna,
          .chunk = 64,
          .mma_chain = fma                        ? 0
                       : bf16                     ? largest_chunk / 16
                       : product == Product::tf32 ? largest_chunk / 8
                                                  : 3 * largest_chunk / 8,
          .score_height = std::max((fma ? slice : 0) + combined, planes * slice / 2 + 1) + slices - 1,
          .value_height = (fma ? largest_chunk : 0) + combined + 1,
          .read_height = (fma ? slice : 0) + combined + slices,
          .update_height = (fma ? largest_chunk : 0) + combined,
          .causal_tile = block_tokens,
          .keys_reach_back = true,
          .elementary_ulp = control_ulps(decays)};
}

std::vector<Build> chunk_wy_builds() {
  const Limits limits{.channels = {1}, .powers = {1}, .chunks = {16, 32, 64, largest_chunk}, .in_place = true};
  return for_every_operator(limits, [&]<template <class> class Number, Decays decays>(OperatorBuilds& builds) {
    const auto contract = [](Format element, Product product) {
      return chunk_wy_contract(element, product, planes<Number<float>>, decays);
    };
    builds.add<"chunk_wy.f32", ChunkWy<Number, decays, ChunkFma>::template On, float>(
        contract(Format::f32, Product::fma));
    builds.add<"chunk_wy.f32.tf32", ChunkWy<Number, decays, ChunkTf32>::template On, float>(
        contract(Format::f32, Product::tf32));
    builds.add<"chunk_wy.f32.3xtf32", ChunkWy<Number, decays, ChunkThreeTf32>::template On, float>(
        contract(Format::f32, Product::three_tf32));
    builds.add<"chunk_wy.bf16.mma", ChunkWy<Number, decays, ChunkBf16>::template On, Bf16>(
        contract(Format::bf16, Product::bf16));
  });
}

}  // namespace sfda
}  // namespace ASSAY_MACHINE
}  // namespace assay::kernels
