#pragma once

#include "kernels/sfda/composition.cuh"

namespace assay::kernels {
inline namespace ASSAY_MACHINE {
namespace sfda {

/// P_t = A_t P_(t-1), Z_t = A_t Z_(t-1) + B_t, map after map: the node of token t is the composition up to it. Without
/// maps P = 1 and Z = 0.
///
/// One block takes one sequence, one head and 16 columns of [P | Z], which stay on the chip. Cost a token: d^2 (d + dv)
/// complex multiply-adds and d / 4 barriers.
// Grid: (ceil((d + dv) / 16), H, N). Block: 256 threads.
// Preconditions: d <= 128.
template <class E, class X>
__global__ void __launch_bounds__(compose_threads) compose_in_order(Composition<E, X> x) {
  __shared__ ComposeTile<X> tile;
  const int h = blockIdx.y, n = blockIdx.z;
  const std::int64_t begin = x.begin(n), end = x.end(n);
  ComposeColumn<X> held;
  held.for_each(x.d, [&](int i, X& entry) { entry = i == held.c ? one<X>() : zero<X>(); });
  for (std::int64_t t = begin; t < end; ++t) {
    const MapPlace given{false, x.row(t, h)};
    if (t == begin)
      held.for_each(x.d, [&](int i, X& entry) { entry = x(given, i, held.c); });
    else
      carry(x, given, tile, held);
    held.for_each(x.d, [&](int i, X& entry) { x.set_node(given.row, i, held.c, entry); });
  }
  held.for_each(x.d, [&](int i, X& entry) { x.set_result(n, h, i, held.c, entry); });
}

template <class E>
struct ComposeInOrder {
  static void launch(const Call& call) {
    using X = Complex<simt::Accumulator<E>>;
    const Composition<E, X> x(call);
    const auto heads = static_cast<unsigned>(x.H), sequences = static_cast<unsigned>(call.size(Axis::sequences));
    simt::launch({.blocks = dim3(x.tiles(), heads, sequences), .threads = dim3(compose_threads)},
                 compose_in_order<E, X>, x);
  }
};

std::vector<Build> compose_in_order_builds() {
  return compose_builds_of([](OperatorBuilds& builds) {
    const auto contract = [](Format element) { return compose_contract(Algorithm::compose_in_order, element); };
    builds.add<"compose_in_order.f32", ComposeInOrder, float>(contract(Format::f32));
    builds.add<"compose_in_order.bf16", ComposeInOrder, Bf16>(contract(Format::bf16));
  });
}

}  // namespace sfda
}  // namespace ASSAY_MACHINE
}  // namespace assay::kernels
