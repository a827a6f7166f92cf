#pragma once

#include "kernels/sas/block_rows.cuh"
#include "problem/operators/sas_gates.hpp"

namespace assay::kernels {
inline namespace ASSAY_MACHINE {
namespace sas {

template <class E>
struct ScoreGradients {
  using A = simt::Accumulator<E>;
  const A* log_gate;      // [tokens, H, blocks]; over a field g. Of both the blocks of a query's history are read
  const A* d_gate;        // [tokens, H, blocks]: gradient in log g, or in g itself where the gate is straight-through
  A* d_scores;            // [tokens, H, blocks]
  int normalisation;      // 0: softmax, 1: sigmoid, 2: raw
  bool straight_through;  // forwards a gate is 1 or 0
  BlockRows rows;
};

/// g of a stored log-gate; over a field it is g that is stored.
template <class A>
__device__ A gate_of(A log_gate) {
  if constexpr (std::is_same_v<A, float>)
    return elementary::exp(log_gate);
  else
    return log_gate;
}

/// ds_m of a query's history from a_m = d log g_m, or g_m dg_m where the gate is straight-through:
/// softmax a_m - g_m sum a, sigmoid a_m - g_m a_m, raw a_m; 0 for other blocks. A block that is not selected has a = 0,
/// and still the softmax's -g_m sum a.
///
/// One warp takes one token and head, its lanes every 32nd block. Cost: an exp a block.
// Grid: (ceil(T / 4), H, N). Block: 128 threads.
template <class E>
__global__ void __launch_bounds__(block_row_threads) score_gradients(ScoreGradients<E> x) {
  using A = simt::Accumulator<E>;
  const BlockRow row = x.rows.of_warp();
  if (row.history < 0) return;
  const int lane = threadIdx.x % 32;
  const A* const log_gate = x.log_gate + row.index * x.rows.blocks;
  const A* const d_gate = x.d_gate + row.index * x.rows.blocks;
  A* const d_scores = x.d_scores + row.index * x.rows.blocks;
  const auto of_log_gate = [&](int i) { return x.straight_through ? gate_of(log_gate[i]) * d_gate[i] : d_gate[i]; };
  A sum = A(0);
  for (int i = lane; i < row.history; i += 32) sum = sum + of_log_gate(i);
  sum = sum_over_lanes(sum);
  for (int i = lane; i < x.rows.blocks; i += 32) {
    if (i >= row.history) {
      d_scores[i] = A(0);
      continue;
    }
    const A a = of_log_gate(i);
    d_scores[i] =
        x.normalisation == 2 ? a : simt::multiply_add(-gate_of(log_gate[i]), x.normalisation == 0 ? sum : a, a);
  }
}

struct ScoreGradient {
  template <class E>
  struct On {
    static void launch(const Call& call) {
      using A = simt::Accumulator<E>;
      const ScoreGradients<E> x{.log_gate = call.array<A>("log_gate"),
                                .d_gate = call.array<A>("d_gate"),
                                .d_scores = call.array<A>("d_scores"),
                                .normalisation = static_cast<int>(call.parameter("normalisation")),
                                .straight_through = call.parameter("form") == 1,
                                .rows = BlockRows(call)};
      launch_block_rows(call, score_gradients<E>, x);
    }
  };
};

/// Roundings: exp of the log-gate; straight-through its product with dg; the sum, a lane's chain over every 32nd block,
/// then a tree of five; a - g times the sum (sigmoid: times a), fused. Raw: none but those of g dg.
inline Contract score_gradients_contract() {
  return {.algorithm = Algorithm::pointwise,
          .order = Order::blocked,
          .chunk = 32,
          .value_height = block_row_height,
          .elementary_ulp = {{"exp", elementary::max_ulp::exp}}};
}

std::vector<Build> score_gradients_builds() {
  const Limits limits = block_row_limits();
  OperatorBuilds builds(operators::sas_score_gradients(), limits);
  builds.add<"score_gradients.f32", ScoreGradient::On, float>(score_gradients_contract());
  return builds.all();
}

}  // namespace sas
}  // namespace ASSAY_MACHINE
}  // namespace assay::kernels
