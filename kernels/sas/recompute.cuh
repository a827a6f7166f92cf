#pragma once

#include "kernels/sas/attention.cuh"
#include "kernels/warp_tile.cuh"
#include "problem/operators/sas_gradients.hpp"

namespace assay::kernels {
inline namespace ASSAY_MACHINE {
namespace sas {

constexpr int recompute_rows = 64;  // queries a tile, keys a tile
constexpr int recompute_threads = 32 * recompute_rows / 16;
constexpr int recompute_slice = 64;  // features, or columns
constexpr int recompute_columns = 32;
constexpr int recompute_widest = 128;  // features, or columns

template <class E>
struct Gradients {
  using A = simt::Accumulator<E>;
  Attention<E> of;    // its o and lse are inputs
  const E* d_output;  // [tokens, H, G, dv]
  E* dq;              // [tokens, H, G, d]
  E* dk;              // [tokens, H, d]
  E* dv;              // [tokens, H, dv]
  A* d_log_gate;      // [tokens, H, blocks], where attention is by blocks
  A* deltas;          // [tokens, H, G]
};

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

template <class Tile>
struct alignas(16) RecomputeMemory {
  using T = typename Tile::Stored;
  using A = typename Tile::Accumulator;
  static constexpr int stride = Tile::template stride<T>(recompute_slice);
  static constexpr int sum_stride = recompute_rows | 1;

  T of_queries[recompute_rows * stride];  // a slice of q or do
  T of_keys[recompute_rows * stride];     // a slice of k or v
  T weights[recompute_rows * stride];     // P f [query, key]
  T logits[recompute_rows * stride];      // dS [query, key]
  A gates[recompute_rows * sum_stride];   // <do, v>, then d log g's terms [query, key]
  A lse[recompute_rows], delta[recompute_rows], log_gate[recompute_rows];
  int reads[recompute_rows];
};

/// Brings rows of a matrix to shared memory, those from `there` on and columns from `width` on as zeros.
template <class T, class Source>
__device__ void stage_slice(T* slice, int stride, const Source* source, std::int64_t source_stride, int there,
                            int width) {
  for (int i = threadIdx.x; i < recompute_rows * recompute_slice; i += recompute_threads) {
    const int row = i / recompute_slice, column = i % recompute_slice;
    slice[row * stride + column] =
        simt::convert<T>(row < there && column < width ? source[row * source_stride + column] : Source{});
  }
}

__device__ inline std::int64_t smaller(std::int64_t x, std::int64_t y) { return x < y ? x : y; }
__device__ inline int multiple_of_16(int n) { return (n + 15) / 16 * 16; }

/// e^(x - L) of a row's stored L, 0 where it has none. Over a field L stands for e^L.
template <class A>
__device__ A weight_of(A x, A L) {
  if constexpr (std::is_same_v<A, float>)
    return L == no_logit<float>() ? 0.0f : power_of(x - L);
  else
    return L == A(0) ? A(0) : power_of(x) / L;
}

/// Queries and keys of one sequence, head and query head: a tile of each.
template <class E>
struct TilePair {
  const Gradients<E>& x;
  std::int64_t sequence, length;
  int h, g;
  std::int64_t first_query, first_key, past_key, block;

  __device__ std::int64_t pair(std::int64_t t) const { return (sequence + t) * x.of.H + h; }
  __device__ std::int64_t query(std::int64_t t) const { return pair(t) * x.of.G + g; }
  __device__ int queries() const { return static_cast<int>(smaller(length - first_query, recompute_rows)); }
  __device__ int keys() const { return static_cast<int>(past_key - first_key); }
  __device__ std::int64_t query_stride(int width) const { return std::int64_t(x.of.H) * x.of.G * width; }
  __device__ std::int64_t key_stride(int width) const { return std::int64_t(x.of.H) * width; }
};

/// What a tile of queries needs of its rows; whether one of them reads the tile of keys.
template <class E, class Memory>
__device__ bool stage_rows(const TilePair<E>& at, Memory& shared) {
  using A = simt::Accumulator<E>;
  __syncthreads();  // what was staged before has been read
  bool reads = false;
  if (threadIdx.x < recompute_rows) {
    const int row = threadIdx.x;
    const std::int64_t t = at.first_query + row, own = t / at.x.of.b;
    reads = t < at.length && at.x.of.reads(at.pair(t), own, at.block);
    shared.reads[row] = reads ? 1 : 0;
    shared.lse[row] = reads ? at.x.of.lse[at.query(t)] : A(0);
    shared.delta[row] = reads ? at.x.deltas[at.query(t)] : A(0);
    shared.log_gate[row] = reads ? at.x.of.gate(at.pair(t), own, at.block) : A(0);
  }
  return __syncthreads_or(reads);
}

/// Products of the warp's rows of one matrix [64, width] with rows of another.
template <class Tile, class E, class Memory, int across>
__device__ void multiply_rows(Tile (&sums)[across], Memory& shared, const E* of_queries, std::int64_t query_stride,
                              int queries, const E* of_keys, std::int64_t key_stride, int keys, int width) {
  for (Tile& tile : sums) tile = Tile::zero();
  const int first_row = static_cast<int>(threadIdx.x) / 32 * 16;
  for (int f = 0; f < width; f += recompute_slice) {
    __syncthreads();  // the slice before has been read
    stage_slice(shared.of_queries, Memory::stride, of_queries + f, query_stride, queries, width - f);
    stage_slice(shared.of_keys, Memory::stride, of_keys + f, key_stride, keys, width - f);
    __syncthreads();
    const auto left = by_rows(shared.of_queries + first_row * Memory::stride, Memory::stride);
    const int depth = multiple_of_16(min(width - f, recompute_slice));
#pragma unroll
    for (int i = 0; i < across; ++i)
      sums[i] +=
          Tile::product(left, by_columns(shared.of_keys + i * Tile::columns * Memory::stride, Memory::stride), depth);
  }
}

/// P f, dS and what d log g sums of a tile of queries and a tile of keys, in shared memory: a warp takes 16 queries.
template <class E, class Tile>
__device__ void recompute_tile(const TilePair<E>& at, RecomputeMemory<Tile>& shared) {
  using A = typename Tile::Accumulator;
  using Memory = RecomputeMemory<Tile>;
  constexpr int across = recompute_rows / Tile::columns;
  const Attention<E>& x = at.x.of;
  const int first_row = static_cast<int>(threadIdx.x) / 32 * 16;
  Tile sums[across];
  multiply_rows(sums, shared, at.x.d_output + at.query(at.first_query) * x.dv, at.query_stride(x.dv), at.queries(),
                x.v + at.pair(at.first_key) * x.dv, at.key_stride(x.dv), at.keys(), x.dv);
#pragma unroll
  for (int i = 0; i < across; ++i)
    sums[i].for_each([&](int r, int column, A along) {
      shared.gates[(first_row + r) * Memory::sum_stride + i * Tile::columns + column] = along;
    });
  multiply_rows(sums, shared, x.q + at.query(at.first_query) * x.d, at.query_stride(x.d), at.queries(),
                x.k + at.pair(at.first_key) * x.d, at.key_stride(x.d), at.keys(), x.d);
#pragma unroll
  for (int i = 0; i < across; ++i)
    sums[i].for_each([&](int r, int column, A score) {
      const int row = first_row + r, j = i * Tile::columns + column;
      const bool visible = shared.reads[row] != 0 && j < at.keys() && at.first_key + j <= at.first_query + row;
      const A z = score * x.scale;
      const A factor = x.outside ? power_of(shared.log_gate[row]) : A(1);
      const A p = visible ? weight_of(x.outside ? z : z + shared.log_gate[row], shared.lse[row]) : A(0);
      A& along = shared.gates[row * Memory::sum_stride + j];
      const A of_value = factor * along, ds = visible ? p * (of_value - shared.delta[row]) : A(0);
      shared.weights[row * Memory::stride + j] = simt::convert<typename Tile::Stored>(x.outside ? p * factor : p);
      shared.logits[row * Memory::stride + j] = simt::convert<typename Tile::Stored>(ds);
      along = !visible ? A(0) : x.outside ? p * of_value : ds;
    });
}

/// Adds the tile's terms of d log g to those of other heads and tiles: two lanes a query.
template <class E, class Memory>
__device__ void add_gate_gradients(const TilePair<E>& at, Memory& shared) {
  using A = simt::Accumulator<E>;
  const int row = static_cast<int>(threadIdx.x) / 2, half = static_cast<int>(threadIdx.x) % 2;
  A sum = A(0);
  for (int j = half; j < recompute_rows; j += 2) sum = sum + shared.gates[row * Memory::sum_stride + j];
  sum = sum + __shfl_xor_sync(0xffffffff, sum, 1);
  const std::int64_t t = at.first_query + row;
  if (half != 0 || shared.reads[row] == 0 || at.block == t / at.x.of.b) return;
  A& total = at.x.d_log_gate[at.pair(t) * at.x.of.blocks + at.block];
  total = total + sum;
}

/// dq, and d log g where attention is by blocks: a block takes 64 queries of a sequence and the heads that share one of
/// keys, one after another, and every tile of at most 64 keys of one block of tokens that one of them reads.
/// Cost: 2 d + dv multiply-adds a pair of tiles that meet.
// Grid: (ceil(T / 64), H, N). Block: 128 threads, sizeof(RecomputeMemory) of dynamic shared memory.
// Preconditions: d, dv <= 128; b is a multiple of 16.
template <class E, class Tile>
__global__ void __launch_bounds__(recompute_threads) gradients_of_queries(Gradients<E> x) {
  using A = typename Tile::Accumulator;
  using Memory = RecomputeMemory<Tile>;
  constexpr int tiles = recompute_widest / Tile::columns, of_slice = recompute_slice / Tile::columns;
  auto& shared = *simt::dynamic_shared<Memory>();
  const int first_row = static_cast<int>(threadIdx.x) / 32 * 16;
  TilePair<E> at{x,
                 x.of.first_token(blockIdx.z),
                 x.of.length(blockIdx.z),
                 static_cast<int>(blockIdx.y),
                 0,
                 std::int64_t(blockIdx.x) * recompute_rows,
                 0,
                 0,
                 0};
  if (at.first_query >= at.length) return;
  const int own_row = static_cast<int>(threadIdx.x) / 2;
  for (int m = 0; x.of.sparse && threadIdx.x % 2 == 0 && own_row < at.queries() && m < x.of.blocks; ++m)
    x.d_log_gate[at.pair(at.first_query + own_row) * x.of.blocks + m] = A(0);
  const std::int64_t past_query = at.first_query + at.queries();
  for (at.g = 0; at.g < x.of.G; ++at.g) {
    Tile dq[tiles];
    for (Tile& tile : dq) tile = Tile::zero();
    for (at.block = 0; at.block * x.of.b < past_query; ++at.block) {
      if (!stage_rows(at, shared)) continue;
      const std::int64_t end = smaller((at.block + 1) * x.of.b, past_query);
      for (at.first_key = at.block * x.of.b; at.first_key < end; at.first_key += recompute_rows) {
        at.past_key = smaller(at.first_key + recompute_rows, end);
        recompute_tile<E, Tile>(at, shared);
        __syncwarp();
        if (x.of.sparse) add_gate_gradients(at, shared);
        const auto ds = by_rows(shared.logits + first_row * Memory::stride, Memory::stride);
#pragma unroll
        for (int s = 0; s < tiles / of_slice; ++s) {
          const int f = s * recompute_slice;
          if (f >= x.of.d) continue;
          __syncthreads();  // the slice before has been read
          stage_slice(shared.of_keys, Memory::stride, x.of.k + at.pair(at.first_key) * x.of.d + f,
                      at.key_stride(x.of.d), at.keys(), x.of.d - f);
          __syncthreads();
#pragma unroll
          for (int i = 0; i < of_slice; ++i)
            dq[s * of_slice + i] += Tile::product(ds, by_rows(shared.of_keys + i * Tile::columns, Memory::stride),
                                                  multiple_of_16(at.keys()));
        }
      }
    }
#pragma unroll
    for (int i = 0; i < tiles; ++i)
      dq[i].for_each([&](int r, int column, A value) {
        const std::int64_t t = at.first_query + first_row + r;
        const int f = i * Tile::columns + column;
        if (t < at.length && f < x.of.d) x.dq[at.query(t) * x.of.d + f] = simt::narrow<E>(value * x.of.scale);
      });
  }
}

/// dk and dv: a block takes at most 64 keys of one block of tokens of one sequence and head, and every tile of 64
/// queries from these on, of each head that shares the keys, that one reads them in. Warp w takes keys 16 w ... 16 w
/// + 15. Cost: 2 (d + dv) multiply-adds a pair of tiles that meet.
// Grid: (tiles of keys, H, N). Block: 128 threads, sizeof(RecomputeMemory) of dynamic shared memory.
// Preconditions: d, dv <= 128; b is a multiple of 16.
template <class E, class Tile>
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
      if (!stage_rows(at, shared)) continue;
      recompute_tile<E, Tile>(at, shared);
      const auto ds = by_columns(shared.logits + first_row, Memory::stride);
      const auto p = by_columns(shared.weights + first_row, Memory::stride);
      const int depth = multiple_of_16(at.queries());
#pragma unroll
      for (int s = 0; s < tiles / of_slice; ++s) {
        const int f = s * recompute_slice;
        if (f >= x.of.d && f >= x.of.dv) continue;
        __syncthreads();  // the slices before have been read, weights of all warps are there
        stage_slice(shared.of_queries, Memory::stride, x.of.q + at.query(at.first_query) * x.of.d + f,
                    at.query_stride(x.of.d), at.queries(), x.of.d - f);
        stage_slice(shared.of_keys, Memory::stride, x.d_output + at.query(at.first_query) * x.of.dv + f,
                    at.query_stride(x.of.dv), at.queries(), x.of.dv - f);
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

template <class E>
using RecomputeFma = RegisterTile<simt::Accumulator<E>, recompute_columns>;

/// Fragments for tensor cores; over a field, where there are none, the same fragments multiplied exactly.
template <class E>
using RecomputeBf16 =
    FragmentTile<std::conditional_t<sizeof(E) == 8, simt::FmaProduct<E>, simt::Bf16Product>, recompute_columns>;

template <template <class> class TileOf>
struct Recompute {
  template <class E>
  struct On {
    static void launch(const Call& call) {
      using A = simt::Accumulator<E>;
      using Tile = TileOf<E>;
      Gradients<E> x{.of = Attention<E>(call),
                     .d_output = call.array<E>("do"),
                     .dq = call.array<E>("dq"),
                     .dk = call.array<E>("dk"),
                     .dv = call.array<E>("dv"),
                     .d_log_gate = call.array<A>("d_log_gate"),
                     .deltas = nullptr};
      const Attention<E>& of = x.of;
      const std::int64_t rows = call.size(Axis::batch) * of.T * of.H * of.G;
      if (rows == 0) return;
      auto deltas = simt::workspace<A>("deltas", static_cast<std::size_t>(rows));
      x.deltas = deltas.data();
      const auto up = [](std::int64_t n, int of) { return static_cast<unsigned>((n + of - 1) / of); };
      const auto heads = static_cast<unsigned>(of.H), sequences = static_cast<unsigned>(call.size(Axis::sequences));
      const std::size_t shared_bytes = sizeof(RecomputeMemory<Tile>);
      simt::launch({.blocks = dim3(up(rows, recompute_threads)), .threads = dim3(recompute_threads)}, row_deltas<E>, x,
                   rows);
      simt::launch({.blocks = dim3(up(of.T, recompute_rows), heads, sequences),
                    .threads = dim3(recompute_threads),
                    .shared_bytes = shared_bytes},
                   gradients_of_queries<E, Tile>, x);
      simt::launch({.blocks = dim3(up(of.T, of.b) * up(of.b, recompute_rows), heads, sequences),
                    .threads = dim3(recompute_threads),
                    .shared_bytes = shared_bytes},
                   gradients_of_keys<E, Tile>, x);
    }
  };
};

/// Roundings, in order (the first addition to zero is exact):
///   1. Delta: do o, one chain of fma over at most 128 columns.
///   2. A logit x: q k over at most 64 features, one chain of fma or of instructions; a second slice added once; times
///      `scale`; where the gate is inside, plus its logarithm. <do, v> is summed alike, and neither scaled nor gated.
///   3. P = e^(x - L): the difference, then exp.
///   4. Where the gate is outside: f = exp of its logarithm, <do, v> and P times that.
///   5. dS: <do, v> less Delta, times P.
///   6. P f and dS: to bf16 for bf16 products.
///   7. dq, dk, dv: over a tile of at most 64 keys or queries, one chain from 0; tiles added, of dk and dv those of
///   every
///      head that shares the keys; dq and dk times `scale`; then to the output's format.
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

std::vector<Build> recompute_builds() {
  const Limits limits{.feature = recompute_widest,
                      .value = recompute_widest,
                      .channels = {1},
                      .blocks = {64, 16, 32, 48, 128},
                      .initial_state = false,
                      .final_state = false};
  const auto add = [](OperatorBuilds& builds) {
    builds.add<"recompute.f32", Recompute<RecomputeFma>::On, float>(recompute_contract(Format::f32, Product::fma));
    builds.add<"recompute.bf16.mma", Recompute<RecomputeBf16>::On, Bf16>(
        recompute_contract(Format::bf16, Product::bf16));
  };
  std::vector<Build> builds =
      for_both_operators(operators::softmax_gradients(), operators::sas_gradients(), limits, add);
  for (Build& build : builds)
    if (!build.op->uses(Axis::block)) build.contract.update_height = 0;  // no gates
  return builds;
}

}  // namespace sas
}  // namespace ASSAY_MACHINE
}  // namespace assay::kernels
