#pragma once

#include "kernels/sas/recompute_tile.cuh"
#include "problem/operators/sas_gradients.hpp"

namespace assay::kernels {
inline namespace ASSAY_MACHINE {
namespace sas {

/// Delta = <do, o>: thread i of the launch takes row i.
// Grid: ceil(rows / 128). Block: 128 threads.
template <class E>
__global__ void __launch_bounds__(recompute_threads) row_deltas(Gradients<E> x, std::int64_t rows) {
  using A = simt::Accumulator<E>;
  const std::int64_t row = std::int64_t(blockIdx.x) * recompute_threads + threadIdx.x;
  if (row >= rows) return;
  A delta = A(0);
  for (int i = 0; i < x.of.dv; ++i)
    delta =
        simt::multiply_add(simt::widen(x.d_output[row * x.of.dv + i]), simt::widen(x.of.o[row * x.of.dv + i]), delta);
  x.deltas[row] = delta;
}

/// dk and dv: a block takes at most 64 keys of one block of tokens of one sequence and head, and every tile of 64
/// queries from these on, of each head that shares the keys, that one reads them in. Warp w takes keys 16 w ... 16 w
/// + 15. Where sums are shared it adds its part of dq, before the scale, and of d log g to theirs too.
/// Cost: 2 (d + dv) multiply-adds a pair of tiles that meet, and d more where sums are shared.
// Grid: (tiles of keys, H, N). Block: 128 threads, sizeof(RecomputeMemory) of dynamic shared memory.
// Preconditions: d, dv <= 128; b is a multiple of 16.
template <class E, class Tile, Sharing sharing = Sharing::none>
__global__ void __launch_bounds__(recompute_threads) gradients_of_keys(Gradients<E> x) {
  using A = typename Tile::Accumulator;
  using Memory = RecomputeMemory<Tile>;
  constexpr int tiles = recompute_widest / Tile::columns, of_slice = recompute_slice / Tile::columns;
  auto& shared = *simt::dynamic_shared<Memory>();
  const int first_row = static_cast<int>(threadIdx.x) / 32 * 16;
  const int parts = (x.of.b + recompute_rows - 1) / recompute_rows;
  TilePair<E> at{x, x.of.first_token(blockIdx.z),    x.of.length(blockIdx.z), static_cast<int>(blockIdx.y), 0, 0, 0,
                 0, std::int64_t(blockIdx.x) / parts};
  at.first_key = at.block * x.of.b + std::int64_t(blockIdx.x) % parts * recompute_rows;
  at.past_key = smaller(smaller(at.first_key + recompute_rows, (at.block + 1) * x.of.b), at.length);
  if (at.first_key >= at.past_key) return;
  Tile dk[tiles], dv[tiles];
  for (Tile& tile : dk) tile = Tile::zero();
  for (Tile& tile : dv) tile = Tile::zero();
  for (at.first_query = at.first_key / recompute_rows * recompute_rows; at.first_query < at.length;
       at.first_query += recompute_rows)
    for (at.g = 0; at.g < x.of.G; ++at.g) {
      if (!stage_queries(at, shared)) continue;
      recompute_tile<E, Tile>(at, shared);
      if constexpr (sharing == Sharing::atomic) {
        __syncwarp();
        if (x.of.sparse) add_gate_gradients<sharing>(at, shared);
        Tile dq[tiles];
        for (Tile& tile : dq) tile = Tile::zero();
        add_query_gradients(dq, at, shared);
        for_each_query_gradient(dq, at, [&](std::int64_t t, int f, A sum) {
          simt::add_atomically(&x.dq_sums[at.query(t) * x.of.d + f], sum);
        });
      }
      const auto ds = by_columns(shared.logits + first_row, Memory::stride);
      const auto p = by_columns(shared.weights + first_row, Memory::stride);
      const int depth = multiple_of_16(at.queries());
#pragma unroll
      for (int s = 0; s < tiles / of_slice; ++s) {
        const int f = s * recompute_slice;
        if (f >= x.of.d && f >= x.of.dv) continue;
        __syncthreads();  // the slices before have been read, weights of all warps are there
        stage_rows(shared.of_queries, Memory::stride, recompute_rows, recompute_slice,
                   x.of.q + at.query(at.first_query) * x.of.d + f, at.query_stride(x.of.d), at.queries(), x.of.d - f);
        stage_rows(shared.of_keys, Memory::stride, recompute_rows, recompute_slice,
                   x.d_output + at.query(at.first_query) * x.of.dv + f, at.query_stride(x.of.dv), at.queries(),
                   x.of.dv - f);
        __syncthreads();
#pragma unroll
        for (int i = 0; i < of_slice; ++i) {
          dk[s * of_slice + i] +=
              Tile::product(ds, by_rows(shared.of_queries + i * Tile::columns, Memory::stride), depth);
          dv[s * of_slice + i] += Tile::product(p, by_rows(shared.of_keys + i * Tile::columns, Memory::stride), depth);
        }
      }
    }
#pragma unroll
  for (int i = 0; i < tiles; ++i) {
    const auto there = [&](int r) { return first_row + r < at.keys(); };
    dk[i].for_each([&](int r, int column, A value) {
      const int f = i * Tile::columns + column;
      if (there(r) && f < x.of.d)
        x.dk[at.pair(at.first_key + first_row + r) * x.of.d + f] = simt::narrow<E>(value * x.of.scale);
    });
    dv[i].for_each([&](int r, int column, A value) {
      const int f = i * Tile::columns + column;
      if (there(r) && f < x.of.dv) x.dv[at.pair(at.first_key + first_row + r) * x.of.dv + f] = simt::narrow<E>(value);
    });
  }
}

inline unsigned tiles_of(std::int64_t n, int width) { return static_cast<unsigned>((n + width - 1) / width); }

/// At most 64 keys a tile, of one block of tokens.
template <class E>
unsigned key_tiles(const Attention<E>& x) {
  return tiles_of(x.T, x.b) * tiles_of(x.b, recompute_rows);
}

inline simt::Grid a_thread_each(std::int64_t count) {
  return {.blocks = dim3(tiles_of(count, recompute_threads)), .threads = dim3(recompute_threads)};
}

/// A block for each tile of every head and sequence.
template <class Tile>
simt::Grid a_block_each(const Call& call, unsigned tiles) {
  return {.blocks = dim3(tiles, static_cast<unsigned>(call.size(Axis::head)),
                         static_cast<unsigned>(call.size(Axis::sequences))),
          .threads = dim3(recompute_threads),
          .shared_bytes = sizeof(RecomputeMemory<Tile>)};
}

template <class E>
using RecomputeBf16 = FragmentTileOf<E, simt::Bf16Product, recompute_columns>;

/// Roundings, in order (the first addition to zero is exact):
///   1. Delta: do o, one chain of fma over at most 128 columns.
///   2. A logit x: q k over at most 64 features, one chain of fma or of instructions; a second slice added once; times
///      `scale`; where the gate is inside, plus its logarithm. <do, v> is summed alike, and neither scaled nor gated.
///   3. P = e^(x - L): the difference, then exp.
///   4. Where the gate is outside: f = exp of its logarithm, <do, v> and P times that.
///   5. dS: <do, v> less Delta, times P.
///   6. P f and dS: to bf16 for bf16 products.
///   7. dq, dk, dv: over a tile of at most 64 keys or queries, one chain from 0; tiles added, of dk and dv those of
///      every head that shares the keys; dq and dk times `scale`; then to the output's format.
///   8. d log g: dS of 5, outside P times f <do, v>: half of a tile a lane, at most 32 in one chain; two lanes' parts
///      added; tiles and heads added.
inline Contract recompute_contract(Format element, Product product) {
  const bool fma = product == Product::fma;
  const Format operand = fma ? Format::f32 : Format::bf16;
  return {.algorithm = Algorithm::parallel,
          .input = element,
          .product = product,
          .features = operand,
          .weights = operand,
          .output = element,
          .order = Order::blocked,
          .chunk = recompute_rows,
          .mma_chain = fma ? 0 : recompute_slice / 16,
          .score_height = (fma ? recompute_slice : 0) + 1,
          .value_height = fma ? recompute_rows : 0,
          .read_height = recompute_widest,
          .update_height = recompute_rows / 2,
          .causal_tile = recompute_rows,
          .keys_reach_back = true,
          .elementary_ulp = {{"exp", elementary::max_ulp::exp}}};
}

inline Limits recompute_limits() {
  return {.feature = recompute_widest,
          .value = recompute_widest,
          .channels = {1},
          .blocks = {64, 16, 32, 48, 128},
          .initial_state = false,
          .final_state = false};
}

/// Builds for both operators, of which the dense one has no gates to sum for.
template <class Add>
std::vector<Build> gradient_builds(Add add) {
  std::vector<Build> builds =
      for_both_operators(operators::softmax_gradients(), operators::sas_gradients(), recompute_limits(), add);
  for (Build& build : builds)
    if (!build.op->uses(Axis::block)) build.contract.update_height = 0;
  return builds;
}

}  // namespace sas
}  // namespace ASSAY_MACHINE
}  // namespace assay::kernels
