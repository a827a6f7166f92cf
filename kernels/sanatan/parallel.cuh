#pragma once

#include "kernels/build.hpp"
#include "kernels/sanatan/feature_map.cuh"
#include "kernels/sanatan/quotient.cuh"
#include "kernels/warp_tile.cuh"
#include "problem/operators/sanatan.hpp"

namespace assay::kernels {
inline namespace ASSAY_MACHINE {
namespace sanatan {

constexpr int parallel_tokens = 64;  // queries a block, keys a tile
constexpr int parallel_warps = 4;
constexpr int parallel_threads = 32 * parallel_warps;
constexpr int parallel_slice = 64;  // features
constexpr int parallel_values = 128;

template <class E, class F>
struct Parallel {
  using A = simt::Accumulator<E>;
  const F* phi_q;                  // [tokens, H, width]
  const F* phi_k;                  // [tokens, H, width]
  const E* v;                      // [tokens, H, dv]
  const std::int64_t* cu_seqlens;  // [N + 1], rising from 0 to the number of tokens; or null: T tokens a sequence
  E* o;                            // [tokens, H, dv]
  A scale;                         // 1 / c, rounded once
  A eps;
  int p;      // 1, 2 or 4
  bool clip;  // the total score at 0
  int T, H, width, dv;
};

template <class Tile>
struct alignas(16) ParallelMemory {
  using T = typename Tile::Stored;
  static constexpr int phi_stride = Tile::template stride<T>(parallel_slice);
  static constexpr int v_stride = Tile::template stride<T>(parallel_values);
  static constexpr int weight_stride = Tile::template stride<T>(parallel_tokens);

  T phi_q[parallel_tokens * phi_stride];       // [query, feature of the slice]
  T phi_k[parallel_tokens * phi_stride];       // [key, feature of the slice]
  T v[parallel_tokens * v_stride];             // [key, column]
  T weights[parallel_tokens * weight_stride];  // [query, key]
  typename Tile::Accumulator denominators[parallel_tokens];
};

/// (s / c)^p.
template <class E, class F>
__device__ typename Parallel<E, F>::A weight_of(const Parallel<E, F>& x, typename Parallel<E, F>::A s) {
  auto w = (x.clip ? positive_part(s) : s) * x.scale;
  if (x.p >= 2) w = w * w;
  if (x.p == 4) w = w * w;
  return w;
}

/// The causal form, o_t = sum_j w_tj v_j / (sum_j w_tj + eps) over j <= t, w = (s / c)^p.
///
/// One block takes 64 queries of one sequence and head, and tile after tile of 64 keys up to its own. Warp w takes
/// queries 16 w ... 16 w + 15 and all columns of v. Cost: (width + dv) / 2 multiply-adds a pair.
// Grid: (ceil(T / 64), H, N). Block: 128 threads, sizeof(ParallelMemory) of dynamic shared memory.
// Preconditions: dv <= 128.
template <class E, class F, class Tile>
__global__ void __launch_bounds__(parallel_threads) parallel(Parallel<E, F> x) {
  using A = typename Tile::Accumulator;
  using Memory = ParallelMemory<Tile>;
  constexpr int across = parallel_tokens / Tile::columns, value_tiles = parallel_values / Tile::columns;
  auto& shared = *simt::dynamic_shared<Memory>();
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, h = blockIdx.y, n = blockIdx.z;
  const int first_row = 16 * warp, row = first_row + lane / 2, half = lane % 2;  // two lanes share a normaliser
  const std::int64_t sequence = x.cu_seqlens ? x.cu_seqlens[n] : std::int64_t(n) * x.T;
  const std::int64_t length = x.cu_seqlens ? x.cu_seqlens[n + 1] - sequence : x.T;
  const std::int64_t first_query = std::int64_t(blockIdx.x) * parallel_tokens;
  if (first_query >= length) return;
  const auto rows_from = [&](std::int64_t t) {
    return static_cast<int>(length - t < parallel_tokens ? length - t : parallel_tokens);
  };
  const auto token = [&](std::int64_t t) { return (sequence + t) * x.H + h; };
  Tile N[value_tiles];
  for (Tile& tile : N) tile = Tile::zero();
  A D = A(0);
  for (std::int64_t first_key = 0; first_key <= first_query; first_key += parallel_tokens) {
    const int seen = first_key < first_query ? parallel_tokens : first_row + 16;  // keys, by the warp's last row
    Tile scores[across];
    for (Tile& tile : scores) tile = Tile::zero();
    for (int f = 0; f < x.width; f += parallel_slice) {
      __syncthreads();  // the last slice, and at the first one the values, have been read
      stage_rows(shared.phi_q, Memory::phi_stride, parallel_tokens, parallel_slice,
                 x.phi_q + token(first_query) * x.width + f, std::int64_t(x.H) * x.width, rows_from(first_query),
                 x.width - f);
      stage_rows(shared.phi_k, Memory::phi_stride, parallel_tokens, parallel_slice,
                 x.phi_k + token(first_key) * x.width + f, std::int64_t(x.H) * x.width, rows_from(first_key),
                 x.width - f);
      if (f == 0)
        stage_rows(shared.v, Memory::v_stride, parallel_tokens, parallel_values, x.v + token(first_key) * x.dv,
                   std::int64_t(x.H) * x.dv, rows_from(first_key), x.dv);
      __syncthreads();
      const auto q = by_rows(shared.phi_q + first_row * Memory::phi_stride, Memory::phi_stride);
#pragma unroll
      for (int i = 0; i < across; ++i)
        if (i * Tile::columns < seen)
          scores[i] += Tile::product(
              q, by_columns(shared.phi_k + i * Tile::columns * Memory::phi_stride, Memory::phi_stride), parallel_slice);
    }
#pragma unroll
    for (int i = 0; i < across; ++i)
      scores[i].for_each([&](int r, int column, A s) {
        const int t = first_row + r, j = i * Tile::columns + column;
        const bool visible = first_key + j <= first_query + t;
        shared.weights[t * Memory::weight_stride + j] =
            simt::convert<typename Tile::Stored>(visible ? weight_of(x, s) : A(0));
      });
    __syncwarp();
    const auto weights = by_rows(shared.weights + first_row * Memory::weight_stride, Memory::weight_stride);
#pragma unroll
    for (int i = 0; i < value_tiles; ++i)
      if (i * Tile::columns < x.dv)
        N[i] += Tile::product(weights, by_rows(shared.v + i * Tile::columns, Memory::v_stride), seen);
    A part = A(0);
    for (int j = half; j < seen; j += 2) part = part + simt::widen(shared.weights[row * Memory::weight_stride + j]);
    D = D + part;
  }
  D = D + __shfl_xor_sync(0xffffffff, D, 1);
  if (half == 0) shared.denominators[row] = positive_part(D) + x.eps;
  __syncwarp();
#pragma unroll
  for (int i = 0; i < value_tiles; ++i)
    N[i].for_each([&](int r, int column, A value) {
      const int t = first_row + r, j = i * Tile::columns + column;
      if (first_query + t < length && j < x.dv)
        x.o[token(first_query + t) * x.dv + j] = simt::narrow<E>(value / shared.denominators[t]);
    });
}

template <class E, class F, class Tile>
void launch_parallel(const Call& call, const F* phi_q, const F* phi_k) {
  using A = simt::Accumulator<E>;
  const auto size = [&](Axis axis) { return static_cast<int>(call.size(axis)); };
  const Parallel<E, F> x{.phi_q = phi_q,
                         .phi_k = phi_k,
                         .v = call.array<E>("v"),
                         .cu_seqlens = call.array<std::int64_t>("cu_seqlens"),
                         .o = call.array<E>("o"),
                         .scale = A(1) / simt::parameter_as<A>(call.parameter("normaliser")),
                         .eps = simt::parameter_as<A>(call.parameter("eps")),
                         .p = static_cast<int>(call.parameter("p")),
                         .clip = size(Axis::channel) == 4,
                         .T = size(Axis::time),
                         .H = size(Axis::head),
                         .width = size(Axis::channel) * size(Axis::feature),
                         .dv = size(Axis::value)};
  if (x.T == 0) return;
  const auto tiles = static_cast<unsigned>((x.T + parallel_tokens - 1) / parallel_tokens);
  simt::launch({.blocks = dim3(tiles, static_cast<unsigned>(x.H), static_cast<unsigned>(size(Axis::sequences))),
                .threads = dim3(parallel_threads),
                .shared_bytes = sizeof(ParallelMemory<Tile>)},
               parallel<E, F, Tile>, x);
}

constexpr int parallel_columns = 32;

template <class E>
using ParallelFma = RegisterTile<simt::Accumulator<E>, parallel_columns>;

template <class E>
using ParallelBf16 = FragmentTileOf<E, simt::Bf16Product, parallel_columns>;

template <template <class> class TileOf>
struct FeatureParallel {
  template <class E>
  struct On {
    static void launch(const Call& call) {
      launch_parallel<E, E, TileOf<E>>(call, call.array<E>("phi_q"), call.array<E>("phi_k"));
    }
  };
};

/// The features are written once, as F, and read for every tile of the scores.
template <class F, template <class> class TileOf>
struct AttentionParallel {
  template <class E>
  struct On {
    static void launch(const Call& call) {
      const auto count =
          static_cast<std::size_t>(call.size(Axis::batch) * call.size(Axis::time) * call.size(Axis::head) *
                                   call.size(Axis::channel) * call.size(Axis::feature));
      auto phi_q = simt::workspace<F>("phi_q", count), phi_k = simt::workspace<F>("phi_k", count);
      launch_feature_map<E>(call, "q", phi_q.data());
      launch_feature_map<E>(call, "k", phi_k.data());
      launch_parallel<E, F, TileOf<E>>(call, phi_q.data(), phi_k.data());
    }
  };
};

/// Roundings, in order (the first addition to zero is exact):
///   1. phi: none if given, else those of `encode`; then to bf16 for bf16 products.
///   2. Scores, a sum over the features: 64 in one chain of fma, or of 4 instructions; then ceil(c d / 64) slices, each
///      added once. Four channels: the total is clipped at 0.
///   3. Weights: 1 / c; the score times that; for p = 2 its square, for p = 4 the square of that; to bf16 for bf16
///      products.
///   4. N: weights x v over a tile of 64 keys, one chain from 0; ceil((t + 1) / 64) tiles, each added once.
///   5. D: the weights of 3, half of a tile a lane, at most 32 in one chain from 0; tiles added; two lanes' parts
///      added; clamped at 0; eps added.
///   6. o: N / D, then to the output's format.
inline Contract parallel_contract(Format element, Product product) {
  const bool fma = product == Product::fma;
  constexpr std::int64_t slices = 6 * 128 / parallel_slice;
  const Format operand = fma ? Format::f32 : Format::bf16;
  return {.algorithm = Algorithm::parallel,
          .input = element,
          .product = product,
          .features = operand,
          .weights = operand,
          .output = element,
          .order = Order::blocked,
          .chunk = parallel_tokens,
          .mma_chain = fma ? 0 : 4,
          .score_height = (fma ? parallel_slice : 0) + slices - 1,
          .value_height = fma ? parallel_tokens : parallel_tokens / 2,
          .causal_tile = 16,
          .clamps_normaliser = true};
}

std::vector<Build> parallel_builds() {
  const Limits limits{.feature = 128,
                      .value = parallel_values,
                      .channels = {6, 4, 3},
                      .powers = {1, 2, 4},
                      .initial_state = false,
                      .final_state = false};
  const Operator& given = operators::sanatan_feature_attention();
  const Operator& computed = operators::sanatan_attention();
  const Contract f32 = parallel_contract(Format::f32, Product::fma),
                 bf16 = parallel_contract(Format::bf16, Product::fma),
                 mma = parallel_contract(Format::bf16, Product::bf16);
  const auto encoded = [](Contract contract) {
    contract.elementary_ulp = encoding_ulps();
    return contract;
  };
  return {
      build<FeatureParallel<ParallelFma>::On, float>("parallel.f32", given, f32, limits),
      build<FeatureParallel<ParallelFma>::On, Bf16>("parallel.bf16", given, bf16, limits),
      build<FeatureParallel<ParallelBf16>::On, Bf16>("parallel.bf16.mma", given, mma, limits),
      real_build<AttentionParallel<float, ParallelFma>::On, float>("parallel.f32", computed, encoded(f32), limits),
      real_build<AttentionParallel<float, ParallelFma>::On, Bf16>("parallel.bf16", computed, encoded(bf16), limits),
      real_build<AttentionParallel<Bf16, ParallelBf16>::On, Bf16>("parallel.bf16.mma", computed, encoded(mma), limits),
  };
}

}  // namespace sanatan
}  // namespace ASSAY_MACHINE
}  // namespace assay::kernels
