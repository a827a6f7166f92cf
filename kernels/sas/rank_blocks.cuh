#pragma once

#include "kernels/operator_builds.hpp"
#include "kernels/sas/powers.cuh"
#include "problem/operators/sas.hpp"

namespace assay::kernels {
inline namespace ASSAY_MACHINE {
namespace sas {

constexpr int rank_rows = 4;  // tokens a block, one a warp

template <class E>
struct RankBlocks {
  using A = simt::Accumulator<E>;
  const E* q;                      // [tokens, H, d]
  const E* block_key;              // [N, blocks, H, d]
  const std::int64_t* cu_seqlens;  // [N + 1], rising from 0 to the number of tokens; or null: T tokens a sequence
  A* scores;                       // [tokens, H, blocks]
  A* threshold;                    // [tokens, H]
  std::int64_t* selected;          // [tokens, H, slots]
  A scale;
  int b, T, H, d, blocks, slots;
};

/// x without a NaN, which comes after every number.
template <class A>
__device__ A rankable(A x) {
  return x == x ? x : no_logit<A>();
}

/// Whether block m of score s comes before block n of score t: a higher score, or the same and an earlier block.
__device__ inline bool comes_before(float s, int m, float t, int n) { return s > t || (s == t && m < n); }
template <class F>
__device__ bool comes_before(F s, int m, F t, int n) {
  return signed_integer(s) > signed_integer(t) || (s == t && m < n);
}

/// The scores of a query's history blocks, scale q k, and the numbers of the highest: each block's rank is the number
/// of blocks that come before it. Scores of other blocks are no logits.
///
/// One warp takes one token and head, its lanes every 32nd block. Cost: d multiply-adds a block, and C^2 comparisons.
// Grid: (ceil(T / 4), H, N). Block: 128 threads, 4 (sizeof(A) + 4) bytes of dynamic shared memory a block of tokens.
template <class E>
__global__ void __launch_bounds__(32 * rank_rows) rank_blocks(RankBlocks<E> x) {
  using A = simt::Accumulator<E>;
  A* const memory = simt::dynamic_shared<A>();
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, h = blockIdx.y, n = blockIdx.z;
  A* const scores = memory + warp * x.blocks;
  int* const chosen = reinterpret_cast<int*>(memory + rank_rows * x.blocks) + warp * x.blocks;
  const std::int64_t sequence = x.cu_seqlens ? x.cu_seqlens[n] : std::int64_t(n) * x.T;
  const std::int64_t length = x.cu_seqlens ? x.cu_seqlens[n + 1] - sequence : x.T;
  const std::int64_t t = std::int64_t(blockIdx.x) * rank_rows + warp, row = (sequence + t) * x.H + h;
  if (t >= length) return;
  const int history = static_cast<int>(t / x.b), count = history < x.slots ? history : x.slots;
  for (int m = lane; m < x.blocks; m += 32) {
    A s = A(0);
    const E* const key = x.block_key + ((std::int64_t(n) * x.blocks + m) * x.H + h) * x.d;
    for (int f = 0; m < history && f < x.d; ++f)
      s = simt::multiply_add(simt::widen(x.q[row * x.d + f]), simt::widen(key[f]), s);
    s = m < history ? s * x.scale : no_logit<A>();
    x.scores[row * x.blocks + m] = s;
    scores[m] = rankable(s);
  }
  __syncwarp();
  for (int m = lane; m < history; m += 32) {
    int rank = 0;
    for (int other = 0; other < history; ++other) rank += comes_before(scores[other], other, scores[m], m) ? 1 : 0;
    chosen[m] = rank < count ? 1 : 0;
    if (rank == x.slots - 1) x.threshold[row] = x.scores[row * x.blocks + m];
  }
  __syncwarp();
  for (int m = lane; m < history; m += 32) {
    int slot = 0;
    for (int other = 0; other < m; ++other) slot += chosen[other];
    if (chosen[m]) x.selected[row * x.slots + slot] = m;
  }
  for (int slot = count + lane; slot < x.slots; slot += 32) x.selected[row * x.slots + slot] = -1;
  if (lane == 0 && (x.slots == 0 || history < x.slots))
    x.threshold[row] = x.slots == 0 ? -no_logit<A>() : no_logit<A>();
}

struct Rank {
  template <class E>
  struct On {
    static void launch(const Call& call) {
      using A = simt::Accumulator<E>;
      const auto size = [&](Axis axis) { return static_cast<int>(call.size(axis)); };
      const RankBlocks<E> x{.q = call.array<E>("q"),
                            .block_key = call.array<E>("block_key"),
                            .cu_seqlens = call.array<std::int64_t>("cu_seqlens"),
                            .scores = call.array<A>("scores"),
                            .threshold = call.array<A>("threshold"),
                            .selected = call.array<std::int64_t>("selected"),
                            .scale = simt::parameter_as<A>(call.parameter("scale")),
                            .b = static_cast<int>(call.parameter("b")),
                            .T = size(Axis::time),
                            .H = size(Axis::head),
                            .d = size(Axis::feature),
                            .blocks = size(Axis::block),
                            .slots = size(Axis::slot)};
      if (x.T == 0) return;
      const auto tiles = static_cast<unsigned>((x.T + rank_rows - 1) / rank_rows);
      simt::launch({.blocks = dim3(tiles, static_cast<unsigned>(x.H), static_cast<unsigned>(size(Axis::sequences))),
                    .threads = dim3(32 * rank_rows),
                    .shared_bytes = rank_rows * static_cast<std::size_t>(x.blocks) * (sizeof(A) + sizeof(int))},
                   rank_blocks<E>, x);
    }
  };
};

/// Roundings: q k, one chain of fma over at most 128 features from 0; times `scale`. Ranks, the set and the threshold
/// are of the scores that are returned.
inline Contract rank_blocks_contract(Format element) {
  return {.algorithm = Algorithm::parallel, .input = element, .output = Format::f32, .score_height = 128};
}

std::vector<Build> rank_blocks_builds() {
  const Limits limits{.feature = 128,
                      .channels = {1},
                      .blocks = {64, 16, 32, 48, 128},
                      .initial_state = false,
                      .final_state = false,
                      .nodes = true};
  OperatorBuilds builds(operators::sas_select(), limits);
  builds.add<"rank_blocks.f32", Rank::On, float>(rank_blocks_contract(Format::f32));
  builds.add<"rank_blocks.bf16", Rank::On, Bf16>(rank_blocks_contract(Format::bf16));
  return builds.all();
}

}  // namespace sas
}  // namespace ASSAY_MACHINE
}  // namespace assay::kernels
