#pragma once

#include "kernels/sas/recompute_keys.cuh"

namespace assay::kernels {
inline namespace ASSAY_MACHINE {
namespace sas {

/// Sums that blocks will add to. Thread i of the launch takes element i.
// Grid: ceil(count / 128). Block: 128 threads.
template <class A>
__global__ void __launch_bounds__(recompute_threads) clear_sums(A* sums, std::int64_t count) {
  const std::int64_t i = std::int64_t(blockIdx.x) * recompute_threads + threadIdx.x;
  if (i < count) sums[i] = A(0);
}

/// dq of its sums. Thread i of the launch takes element i.
// Grid: ceil(count / 128). Block: 128 threads.
template <class E>
__global__ void __launch_bounds__(recompute_threads) scale_sums(Gradients<E> x, std::int64_t count) {
  const std::int64_t i = std::int64_t(blockIdx.x) * recompute_threads + threadIdx.x;
  if (i < count) x.dq[i] = simt::narrow<E>(x.dq_sums[i] * x.of.scale);
}

/// One pass over tiles of keys: their blocks add to dq and d log g, which in float32 depends on who comes first.
template <template <class> class TileOf>
struct RecomputeOnce {
  template <class E>
  struct On {
    static void launch(const Call& call) {
      using A = simt::Accumulator<E>;
      using Tile = TileOf<E>;
      Gradients<E> x(call);
      const std::int64_t rows = x.rows(call), entries = rows * x.of.d, gates = rows / x.of.G * x.of.blocks;
      if (rows == 0) return;
      auto deltas = simt::workspace<A>("deltas", static_cast<std::size_t>(rows));
      auto dq_sums = simt::workspace<A>("dq_sums", static_cast<std::size_t>(entries));
      x.deltas = deltas.data();
      x.dq_sums = dq_sums.data();
      simt::launch(a_thread_each(rows), row_deltas<E>, x, rows);
      simt::launch(a_thread_each(entries), clear_sums<A>, x.dq_sums, entries);
      if (x.of.sparse && gates > 0) simt::launch(a_thread_each(gates), clear_sums<A>, x.d_log_gate, gates);
      simt::launch(a_block_each<Tile>(call, key_tiles(x.of)), gradients_of_keys<E, Tile, Sharing::atomic>, x);
      simt::launch(a_thread_each(entries), scale_sums<E>, x, entries);
    }
  };
};

/// Roundings as of `recompute`, in another order: tiles of dq and of d log g are added as their blocks come.
inline Contract recompute_once_contract() {
  Contract contract = recompute_contract(Format::bf16, Product::bf16);
  contract.order = Order::any;
  contract.repeats = Repeats::never;
  return contract;
}

std::vector<Build> recompute_once_builds() {
  const auto add = [](OperatorBuilds& builds) {
    builds.add<"recompute_once.bf16.mma", RecomputeOnce<RecomputeBf16>::On, Bf16>(recompute_once_contract());
  };
  return gradient_builds(add);
}

}  // namespace sas
}  // namespace ASSAY_MACHINE
}  // namespace assay::kernels
