#pragma once

#include "kernels/sfda/composition.cuh"

namespace assay::kernels {
inline namespace ASSAY_MACHINE {
namespace sfda {

/// Where the composition of `leaves` maps from map `first` of a sequence stands: the map itself, or the node at the
/// first map of its later part, which begins after the largest power of two of maps that leaves some over.
template <class E, class X>
__device__ MapPlace subtree(const Composition<E, X>& x, std::int64_t first, std::int64_t leaves, int h) {
  if (leaves == 1) return {false, x.row(first, h)};
  std::int64_t earlier = 1;
  while (2 * earlier < leaves) earlier *= 2;
  return {true, x.row(first + earlier, h)};
}

/// One level of the tree over the maps of a sequence: every node whose earlier part has `span` maps, a power of two.
/// The later part has as many, or what is left. Levels follow each other, span 1 first.
///
/// One block takes one node and 16 columns of [P | Z]. Cost of a node: d^2 (d + dv) complex multiply-adds.
// Grid: (ceil((d + dv) / 16), nodes of the longest sequence, N H). Block: 256 threads.
// Preconditions: d <= 128.
template <class E, class X>
__global__ void __launch_bounds__(compose_threads) compose_level(Composition<E, X> x, std::int64_t span) {
  __shared__ ComposeTile<X> tile;
  const int h = blockIdx.z % x.H, n = blockIdx.z / x.H;
  const std::int64_t begin = x.begin(n), middle = begin + (2 * std::int64_t(blockIdx.y) + 1) * span;
  const std::int64_t left = x.end(n) - middle;
  if (left <= 0) return;
  const MapPlace first = subtree(x, middle - span, span, h), second = subtree(x, middle, left < span ? left : span, h);
  ComposeColumn<X> held;
  held.for_each(x.d, [&](int i, X& entry) { entry = x(first, i, held.c); });
  carry(x, second, tile, held);
  held.for_each(x.d, [&](int i, X& entry) { x.set_node(x.row(middle, h), i, held.c, entry); });
}

/// The composition of all maps of a sequence, from the node where it stands; the first token has its own map for a
/// node. Without maps P = 1 and Z = 0.
// Grid: (ceil((d + dv) / 16), H, N). Block: 256 threads.
template <class E, class X>
__global__ void __launch_bounds__(compose_threads) compose_root(Composition<E, X> x) {
  const int h = blockIdx.y, n = blockIdx.z;
  const std::int64_t begin = x.begin(n), maps = x.end(n) - begin;
  ComposeColumn<X> held;
  held.for_each(x.d, [&](int i, X&) {
    if (maps == 0) return x.set_result(n, h, i, held.c, i == held.c ? one<X>() : zero<X>());
    x.set_node(x.row(begin, h), i, held.c, x({false, x.row(begin, h)}, i, held.c));
    x.set_result(n, h, i, held.c, x(subtree(x, begin, maps, h), i, held.c));
  });
}

template <class E>
struct ComposeAsTree {
  static void launch(const Call& call) {
    using X = Complex<simt::Accumulator<E>>;
    const Composition<E, X> x(call);
    const auto heads = static_cast<unsigned>(x.H), sequences = static_cast<unsigned>(call.size(Axis::sequences));
    for (std::int64_t span = 1; span < x.T; span *= 2) {
      const auto nodes = static_cast<unsigned>((x.T - span + 2 * span - 1) / (2 * span));
      simt::launch({.blocks = dim3(x.tiles(), nodes, heads * sequences), .threads = dim3(compose_threads)},
                   compose_level<E, X>, x, span);
    }
    simt::launch({.blocks = dim3(x.tiles(), heads, sequences), .threads = dim3(compose_threads)}, compose_root<E, X>,
                 x);
  }
};

std::vector<Build> compose_as_tree_builds() {
  return compose_builds_of([](OperatorBuilds& builds) {
    const auto contract = [](Format element) { return compose_contract(Algorithm::compose_as_tree, element); };
    builds.add<"compose_as_tree.f32", ComposeAsTree, float>(contract(Format::f32));
    builds.add<"compose_as_tree.bf16", ComposeAsTree, Bf16>(contract(Format::bf16));
  });
}

}  // namespace sfda
}  // namespace ASSAY_MACHINE
}  // namespace assay::kernels
