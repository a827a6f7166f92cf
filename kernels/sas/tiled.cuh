#pragma once

#include "kernels/sas/attention.cuh"
#include "kernels/warp_tile.cuh"

namespace assay::kernels {
inline namespace ASSAY_MACHINE {
namespace sas {

constexpr int tiled_rows = 64;  // queries a block, keys a tile
constexpr int tiled_warps = 4;
constexpr int tiled_threads = 32 * tiled_warps;
constexpr int tiled_slice = 64;  // features
constexpr int tiled_values = 128;

template <class Tile>
struct alignas(16) TiledMemory {
  using T = typename Tile::Stored;
  using A = typename Tile::Accumulator;
  static constexpr int slice_stride = Tile::template stride<T>(tiled_slice);
  static constexpr int v_stride = Tile::template stride<T>(tiled_values);
  static constexpr int weight_stride = Tile::template stride<T>(tiled_rows);
  static constexpr int logit_stride = tiled_rows | 1;

  T q[tiled_rows * slice_stride];         // [query, feature of the slice]
  T k[tiled_rows * slice_stride];         // [key, feature of the slice]
  T v[tiled_rows * v_stride];             // [key, column]
  T weights[tiled_rows * weight_stride];  // [query, key]
  A logits[tiled_rows * logit_stride];    // [query, key]
  A factors[tiled_rows];                  // of what was summed before; at last l
};

__device__ inline int up_to_multiple(int n, int of) { return (n + of - 1) / of * of; }

/// Causal attention by an online softmax: m the largest logit so far, l = sum e^(x - m), N = sum e^(x - m) v.
///
/// One block takes 64 queries of one sequence and head, and tile after tile of at most 64 keys of one block of tokens
/// up to its own last query; blocks that no query of it reads are skipped. Warp w takes queries 16 w ... 16 w + 15 and
/// all columns of v; two lanes share a query's logits. Cost: d + dv multiply-adds a pair of tiles that meet.
// Grid: (ceil(T / 64), H G, N). Block: 128 threads, sizeof(TiledMemory) of dynamic shared memory.
// Preconditions: d, dv <= 128; b is a multiple of 16.
template <class E, class Tile, class Functions>
__global__ void __launch_bounds__(tiled_threads) tiled(Attention<E> x) {
  using A = typename Tile::Accumulator;
  using Memory = TiledMemory<Tile>;
  constexpr int across = tiled_rows / Tile::columns, value_tiles = tiled_values / Tile::columns;
  auto& shared = *simt::dynamic_shared<Memory>();
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, n = blockIdx.z;
  const int h = blockIdx.y / x.G, g = blockIdx.y % x.G;
  const int first_row = 16 * warp, row = first_row + lane / 2, half = lane % 2;
  const std::int64_t sequence = x.first_token(n), length = x.length(n);
  const std::int64_t first_query = std::int64_t(blockIdx.x) * tiled_rows, t = first_query + row, own = t / x.b;
  if (first_query >= length) return;
  const std::int64_t past_query = first_query + tiled_rows < length ? first_query + tiled_rows : length;
  const std::int64_t pair = (sequence + t) * x.H + h;  // of query and head of keys
  const auto query = [&](std::int64_t i) { return ((sequence + i) * x.H + h) * x.G + g; };
  const auto key = [&](std::int64_t j) { return (sequence + j) * x.H + h; };
  Tile N[value_tiles];
  for (Tile& tile : N) tile = Tile::zero();
  A m = no_logit<A>(), l = A(0);
  for (std::int64_t block = 0; block * x.b < past_query; ++block) {
    const bool reads = t < length && x.reads(pair, own, block);
    if (!__syncthreads_or(reads)) continue;
    const A log_gate = reads ? x.gate(pair, own, block) : A(0);
    const std::int64_t past_key = (block + 1) * x.b < past_query ? (block + 1) * x.b : past_query;
    for (std::int64_t first_key = block * x.b; first_key < past_key; first_key += tiled_rows) {
      const int keys = static_cast<int>(past_key - first_key < tiled_rows ? past_key - first_key : tiled_rows);
      const int last_seen = static_cast<int>(first_query - first_key) + first_row + 15;  // by the warp's last query
      const int seen = last_seen < 0 ? 0 : up_to_multiple(min(keys, last_seen + 1), 16);
      Tile scores[across];
      for (Tile& tile : scores) tile = Tile::zero();
      for (int f = 0; f < x.d; f += tiled_slice) {
        const int depth = up_to_multiple(min(x.d - f, tiled_slice), 16);
        __syncthreads();  // the last slice, and at the first one the values, have been read
        stage_rows(shared.q, Memory::slice_stride, tiled_rows, depth, x.q + query(first_query) * x.d + f,
                   std::int64_t(x.H) * x.G * x.d, static_cast<int>(past_query - first_query), x.d - f);
        stage_rows(shared.k, Memory::slice_stride, tiled_rows, depth, x.k + key(first_key) * x.d + f,
                   std::int64_t(x.H) * x.d, keys, x.d - f);
        if (f == 0)
          stage_rows(shared.v, Memory::v_stride, tiled_rows, up_to_multiple(x.dv, Tile::columns),
                     x.v + key(first_key) * x.dv, std::int64_t(x.H) * x.dv, keys, x.dv);
        __syncthreads();
        const auto q = by_rows(shared.q + first_row * Memory::slice_stride, Memory::slice_stride);
#pragma unroll
        for (int i = 0; i < across; ++i)
          if (i * Tile::columns < seen)
            scores[i] += Tile::product(
                q, by_columns(shared.k + i * Tile::columns * Memory::slice_stride, Memory::slice_stride), depth);
      }
#pragma unroll
      for (int i = 0; i < across; ++i)
        scores[i].for_each([&](int r, int column, A s) {
          shared.logits[(first_row + r) * Memory::logit_stride + i * Tile::columns + column] = s;
        });
      __syncwarp();
      A* const logits = shared.logits + row * Memory::logit_stride;
      const auto visible = [&](int j) { return reads && j < keys && first_key + j <= t; };
      A largest = m;
      for (int j = half; j < seen; j += 2) {
        if (!visible(j)) continue;
        const A z = logits[j] * x.scale;
        logits[j] = x.outside ? z : z + log_gate;
        largest = larger_logit(largest, logits[j]);
      }
      largest = larger_logit(largest, __shfl_xor_sync(0xffffffff, largest, 1));
      const A factor = power_below<Functions>(m, largest), gate = x.outside ? power_of<Functions>(log_gate) : A(1);
      A part = A(0);
      for (int j = half; j < seen; j += 2) {
        const A weight = visible(j) ? power_below<Functions>(logits[j], largest) : A(0);
        part = part + weight;
        shared.weights[row * Memory::weight_stride + j] =
            simt::convert<typename Tile::Stored>(x.outside ? weight * gate : weight);
      }
      part = part + __shfl_xor_sync(0xffffffff, part, 1);
      l = l * factor;
      l = l + part;
      m = largest;
      if (half == 0) shared.factors[row] = factor;
      __syncwarp();
      const auto weights = by_rows(shared.weights + first_row * Memory::weight_stride, Memory::weight_stride);
#pragma unroll
      for (int i = 0; i < value_tiles; ++i) {
        if (i * Tile::columns >= x.dv || seen == 0) continue;
        N[i].scale_rows(shared.factors + first_row);
        N[i] += Tile::product(weights, by_rows(shared.v + i * Tile::columns, Memory::v_stride), seen);
      }
    }
  }
  __syncwarp();  // factors have been read
  if (half == 0) shared.factors[row] = l;
  if (half == 0 && t < length) x.lse[query(t)] = log_of_sum<Functions>(m, l);
  __syncwarp();
#pragma unroll
  for (int i = 0; i < value_tiles; ++i)
    N[i].for_each([&](int r, int column, A value) {
      const int j = i * Tile::columns + column;
      if (first_query + first_row + r < length && j < x.dv)
        x.o[query(first_query + first_row + r) * x.dv + j] =
            simt::narrow<E>(mean_of(value, shared.factors[first_row + r]));
    });
}

constexpr int tiled_columns = 32;

template <class E>
using TiledFma = RegisterTile<simt::Accumulator<E>, tiled_columns>;

template <class E>
using TiledBf16 = FragmentTileOf<E, simt::Bf16Product, tiled_columns>;
template <class E>
using TiledTf32 = FragmentTileOf<E, simt::Tf32Product<Rounding::nearest_away>, tiled_columns>;

template <template <class> class TileOf, class Functions = Portable>
struct Tiled {
  template <class E>
  struct On {
    static void launch(const Call& call) {
      const Attention<E> x(call);
      if (x.T == 0) return;
      const auto tiles = static_cast<unsigned>((x.T + tiled_rows - 1) / tiled_rows);
      const auto sequences = static_cast<unsigned>(call.size(Axis::sequences));
      simt::launch({.blocks = dim3(tiles, static_cast<unsigned>(x.H * x.G), sequences),
                    .threads = dim3(tiled_threads),
                    .shared_bytes = sizeof(TiledMemory<TileOf<E>>)},
                   tiled<E, TileOf<E>, Functions>, x);
    }
  };
};

/// Roundings, in order (the first addition to zero, and e^0 = 1 with products by it, are exact):
///   1. A logit x: q k over at most 64 features, one chain of fma or of instructions; a second slice added once; times
///      `scale`; where the gate is inside, plus its logarithm.
///   2. e^(x - m): the difference, then exp. Whenever a tile raises m, e^(m - m') alike, and l and N times that.
///   3. l: the weights, half of a tile a lane, at most 32 in one chain from 0; two lanes' parts added; the tile added.
///   4. Where the gate is outside: exp of its logarithm, the weight times that.
///   5. Weights: to bf16 for bf16 products.
///   6. N: weights x v over a tile of at most 64 keys, one chain from 0; tiles added.
///   7. o: N / l, then to the output's format. L: log l, m plus that.
template <class Functions = Portable>
Contract tiled_contract(Format element, Product product) {
  const bool fma = product == Product::fma;
  const Format operand = product == Product::bf16 ? Format::bf16 : Format::f32;
  return {.algorithm = Algorithm::parallel,
          .input = element,
          .product = product,
          .features = operand,
          .weights = operand,
          .output = element,
          .order = Order::blocked,
          .tf32_input = Tf32Input::rna,
          .chunk = tiled_rows,
          .mma_chain = fma                        ? 0
                       : product == Product::bf16 ? 4
                                                  : 8,
          .score_height = (fma ? tiled_slice : 0) + 1,
          .value_height = fma ? tiled_rows : tiled_rows / 2,
          .causal_tile = 16,
          .elementary_ulp = softmax_ulps<Functions>(),
          .wide_normaliser = true};
}

std::vector<Build> tiled_builds() {
  const Limits limits{.feature = 128,
                      .value = tiled_values,
                      .channels = {1},
                      .blocks = {64, 16, 32, 48, 128},
                      .initial_state = false,
                      .final_state = false};
  const auto add = [](OperatorBuilds& builds) {
    const auto contract = [](Format element, Product product) { return tiled_contract(element, product); };
    builds.add<"tiled.f32", Tiled<TiledFma>::On, float>(contract(Format::f32, Product::fma));
    builds.add<"tiled.bf16", Tiled<TiledFma>::On, Bf16>(contract(Format::bf16, Product::fma));
    builds.add<"tiled.f32.tf32", Tiled<TiledTf32>::On, float>(contract(Format::f32, Product::tf32));
    builds.add<"tiled.bf16.mma", Tiled<TiledBf16>::On, Bf16>(contract(Format::bf16, Product::bf16));
    builds.add_real<"tiled.f32.libdevice", Tiled<TiledFma, Libdevice>::template On, float>(
        tiled_contract<Libdevice>(Format::f32, Product::fma));
    builds.add_real<"tiled.bf16.mma.approx", Tiled<TiledBf16, Approximate>::template On, Bf16>(
        tiled_contract<Approximate>(Format::bf16, Product::bf16));
  };
  return for_both_operators(operators::softmax_attention(), operators::sas_attention(), limits, add);
}

}  // namespace sas
}  // namespace ASSAY_MACHINE
}  // namespace assay::kernels
