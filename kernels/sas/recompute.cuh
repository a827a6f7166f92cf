#pragma once

#include "kernels/sas/recompute_keys.cuh"

namespace assay::kernels {
inline namespace ASSAY_MACHINE {
namespace sas {

/// dq, and d log g where attention is by blocks: a block takes 64 queries of a sequence and the heads that share one of
/// keys, one after another, and every tile of at most 64 keys of one block of tokens that one of them reads.
/// Cost: 2 d + dv multiply-adds a pair of tiles that meet.
// Grid: (ceil(T / 64), H, N). Block: 128 threads, sizeof(RecomputeMemory) of dynamic shared memory.
// Preconditions: d, dv <= 128; b is a multiple of 16.
template <class E, class Tile>
__global__ void __launch_bounds__(recompute_threads) gradients_of_queries(Gradients<E> x) {
  using A = typename Tile::Accumulator;
  constexpr int tiles = recompute_widest / Tile::columns;
  auto& shared = *simt::dynamic_shared<RecomputeMemory<Tile>>();
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
      if (!stage_queries(at, shared)) continue;
      const std::int64_t end = smaller((at.block + 1) * x.of.b, past_query);
      for (at.first_key = at.block * x.of.b; at.first_key < end; at.first_key += recompute_rows) {
        at.past_key = smaller(at.first_key + recompute_rows, end);
        recompute_tile<E, Tile>(at, shared);
        __syncwarp();
        if (x.of.sparse) add_gate_gradients<Sharing::none>(at, shared);
        add_query_gradients(dq, at, shared);
      }
    }
    for_each_query_gradient(dq, at, [&](std::int64_t t, int f, A sum) {
      x.dq[at.query(t) * x.of.d + f] = simt::narrow<E>(sum * x.of.scale);
    });
  }
}

template <template <class> class TileOf>
struct Recompute {
  template <class E>
  struct On {
    static void launch(const Call& call) {
      using Tile = TileOf<E>;
      Gradients<E> x(call);
      const std::int64_t rows = x.rows(call);
      if (rows == 0) return;
      auto deltas = simt::workspace<simt::Accumulator<E>>("deltas", static_cast<std::size_t>(rows));
      x.deltas = deltas.data();
      simt::launch(a_thread_each(rows), row_deltas<E>, x, rows);
      simt::launch(a_block_each<Tile>(call, tiles_of(x.of.T, recompute_rows)), gradients_of_queries<E, Tile>, x);
      simt::launch(a_block_each<Tile>(call, key_tiles(x.of)), gradients_of_keys<E, Tile>, x);
    }
  };
};

template <class E>
using RecomputeFma = RegisterTile<simt::Accumulator<E>, recompute_columns>;
std::vector<Build> recompute_builds() {
  const auto add = [](OperatorBuilds& builds) {
    builds.add<"recompute.f32", Recompute<RecomputeFma>::On, float>(recompute_contract(Format::f32, Product::fma));
    builds.add<"recompute.bf16.mma", Recompute<RecomputeBf16>::On, Bf16>(
        recompute_contract(Format::bf16, Product::bf16));
  };
  return gradient_builds(add);
}

}  // namespace sas
}  // namespace ASSAY_MACHINE
}  // namespace assay::kernels
