#pragma once

#include "kernels/sas/block_rows.cuh"
#include "problem/operators/sas_gates.hpp"

namespace assay::kernels {
inline namespace ASSAY_MACHINE {
namespace sas {

template <class E>
struct Gates {
  using A = simt::Accumulator<E>;
  const A* scores;    // [tokens, H, blocks]; those of a query's history are read
  A* log_gate;        // [tokens, H, blocks]
  A* lse;             // [tokens, H]
  int normalisation;  // 0: softmax, 1: sigmoid, 2: raw
  BlockRows rows;
};

/// log g = (s - m) - log l of a score s, l the sum relative to m of the powers that it competes with; over a field g.
/// What is no logit has no gate: -inf, or 0.
template <class A>
__device__ A log_gate_of(A s, A m, A l) {
  if constexpr (std::is_same_v<A, float>)
    return s == no_logit<float>() ? s : (s - m) - elementary::log(l);
  else
    return s == no_logit<A>() ? A(0) : mean_of(power_of(s - m), l);
}

/// That of one score against 0.
template <class A>
__device__ A log_sigmoid_of(A s) {
  const A m = larger_logit(A(0), s);
  return log_gate_of(s, m, power_below(A(0), m) + power_below(s, m));
}

/// L = m + log l of a query's history, m the largest score and l = sum e^(s - m), whichever rule makes the gates:
/// softmax (s - m) - log l, sigmoid (s - max(0, s)) - log(e^-max(0, s) + e^(s - max(0, s))), raw s. Blocks that are no
/// history have no gate.
///
/// One warp takes one token and head, its lanes every 32nd block. Cost: an exp and a log a block.
// Grid: (ceil(T / 4), H, N). Block: 128 threads.
template <class E>
__global__ void __launch_bounds__(block_row_threads) gates(Gates<E> x) {
  using A = simt::Accumulator<E>;
  const BlockRow row = x.rows.of_warp();
  if (row.history < 0) return;
  const int lane = threadIdx.x % 32;
  const A* const scores = x.scores + row.index * x.rows.blocks;
  A* const log_gate = x.log_gate + row.index * x.rows.blocks;
  A m = no_logit<A>(), l = A(0);
  for (int i = lane; i < row.history; i += 32) m = larger_logit(m, scores[i]);
  m = largest_over_lanes(m);
  for (int i = lane; i < row.history; i += 32) l = l + power_below(scores[i], m);
  l = sum_over_lanes(l);
  for (int i = lane; i < x.rows.blocks; i += 32) {
    const A s = i < row.history ? scores[i] : no_logit<A>();
    log_gate[i] = x.normalisation == 0   ? log_gate_of(s, m, l)
                  : x.normalisation == 1 ? log_sigmoid_of(s)
                                         : log_gate_of(s, A(0), A(1));
  }
  if (lane == 0) x.lse[row.index] = log_of_sum(m, l);
}

struct Gate {
  template <class E>
  struct On {
    static void launch(const Call& call) {
      using A = simt::Accumulator<E>;
      const Gates<E> x{.scores = call.array<A>("scores"),
                       .log_gate = call.array<A>("log_gate"),
                       .lse = call.array<A>("lse"),
                       .normalisation = static_cast<int>(call.parameter("normalisation")),
                       .rows = BlockRows(call)};
      launch_block_rows(call, gates<E>, x);
    }
  };
};

/// Roundings: s - m, to which m itself, a largest one, adds none; exp of it; l, a lane's chain of sums over every 32nd
/// block, then a tree of five; log l; L = m + log l; log g = (s - m) - log l. Sigmoid: exp(-|s|), the sum with 1, its
/// log, and the last difference. Raw: none, as log 1 is 0.
inline Contract gates_contract() {
  return {.algorithm = Algorithm::pointwise,
          .order = Order::blocked,
          .chunk = 32,
          .value_height = block_row_height,
          .elementary_ulp = {{"exp", elementary::max_ulp::exp}, {"log", elementary::max_ulp::log}}};
}

std::vector<Build> gates_builds() {
  const Limits limits = block_row_limits();
  OperatorBuilds builds(operators::sas_gates(), limits);
  builds.add<"gates.f32", Gate::On, float>(gates_contract());
  return builds.all();
}

}  // namespace sas
}  // namespace ASSAY_MACHINE
}  // namespace assay::kernels
