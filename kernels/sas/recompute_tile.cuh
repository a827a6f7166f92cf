#pragma once

#include "kernels/sas/attention.cuh"
#include "kernels/warp_tile.cuh"
#include "simt/atomic_add.cuh"

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
  A* dq_sums;         // [tokens, H, G, d], where blocks add to them; 0 before

  explicit Gradients(const Call& call)
      : of(call),
        d_output(call.array<E>("do")),
        dq(call.array<E>("dq")),
        dk(call.array<E>("dk")),
        dv(call.array<E>("dv")),
        d_log_gate(call.array<A>("d_log_gate")),
        deltas(nullptr),
        dq_sums(nullptr) {}

  std::int64_t rows(const Call& call) const { return call.size(Axis::batch) * of.T * of.H * of.G; }
};

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
__device__ bool stage_queries(const TilePair<E>& at, Memory& shared) {
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
    stage_rows(shared.of_queries, Memory::stride, recompute_rows, recompute_slice, of_queries + f, query_stride,
               queries, width - f);
    stage_rows(shared.of_keys, Memory::stride, recompute_rows, recompute_slice, of_keys + f, key_stride, keys,
               width - f);
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

/// How blocks share sums: each has its own, or any of them adds to one, in any order.
enum class Sharing { none, atomic };

/// Adds the tile's terms of d log g to those of other heads and tiles: two lanes a query.
template <Sharing sharing, class E, class Memory>
__device__ void add_gate_gradients(const TilePair<E>& at, Memory& shared) {
  using A = simt::Accumulator<E>;
  const int row = static_cast<int>(threadIdx.x) / 2, half = static_cast<int>(threadIdx.x) % 2;
  A sum = A(0);
  for (int j = half; j < recompute_rows; j += 2) sum = sum + shared.gates[row * Memory::sum_stride + j];
  sum = sum + __shfl_xor_sync(0xffffffff, sum, 1);
  const std::int64_t t = at.first_query + row;
  if (half != 0 || shared.reads[row] == 0 || at.block == t / at.x.of.b) return;
  A& total = at.x.d_log_gate[at.pair(t) * at.x.of.blocks + at.block];
  if constexpr (sharing == Sharing::atomic)
    simt::add_atomically(&total, sum);
  else
    total = total + sum;
}

/// Adds dS k of a tile to the warp's 16 rows of dq, all threads' dS being there.
template <class E, class Tile, int tiles>
__device__ void add_query_gradients(Tile (&dq)[tiles], const TilePair<E>& at, RecomputeMemory<Tile>& shared) {
  using Memory = RecomputeMemory<Tile>;
  constexpr int of_slice = recompute_slice / Tile::columns;
  const Attention<E>& x = at.x.of;
  const auto ds = by_rows(shared.logits + static_cast<int>(threadIdx.x) / 32 * 16 * Memory::stride, Memory::stride);
#pragma unroll
  for (int s = 0; s < tiles / of_slice; ++s) {
    const int f = s * recompute_slice;
    if (f >= x.d) continue;
    __syncthreads();  // the slice before has been read
    stage_rows(shared.of_keys, Memory::stride, recompute_rows, recompute_slice, x.k + at.pair(at.first_key) * x.d + f,
               at.key_stride(x.d), at.keys(), x.d - f);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < of_slice; ++i)
      dq[s * of_slice + i] +=
          Tile::product(ds, by_rows(shared.of_keys + i * Tile::columns, Memory::stride), multiple_of_16(at.keys()));
  }
}

/// Calls use(token, feature, sum) for what the warp has of dq.
template <class E, class Tile, int tiles, class Use>
__device__ void for_each_query_gradient(Tile (&dq)[tiles], const TilePair<E>& at, Use use) {
  const std::int64_t first = at.first_query + static_cast<int>(threadIdx.x) / 32 * 16;
#pragma unroll
  for (int i = 0; i < tiles; ++i)
    dq[i].for_each([&](int r, int column, typename Tile::Accumulator sum) {
      const int f = i * Tile::columns + column;
      if (first + r < at.length && f < at.x.of.d) use(first + r, f, sum);
    });
}

}  // namespace sas
}  // namespace ASSAY_MACHINE
}  // namespace assay::kernels
