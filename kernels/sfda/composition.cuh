#pragma once

#include <cstdint>

#include "kernels/sfda/operator_builds.cuh"

// What the kernels that compose maps S -> A S + B share.

namespace assay::kernels {
inline namespace ASSAY_MACHINE {
namespace sfda {

constexpr int compose_features = 128;
constexpr int compose_columns = 16;
constexpr int compose_groups = 16;
constexpr int compose_threads = compose_groups * compose_columns;
constexpr int compose_rows = compose_features / compose_groups;
constexpr int compose_slice = 8;

/// A map S -> P S + Z as its matrix [P | Z]: one that is given, or a node.
struct MapPlace {
  bool is_node;
  std::int64_t row;
};

/// Maps S -> A_t S + B_t, complex numbers X from elements E, and where their composition goes.
template <class E, class X>
struct Composition {
  using Stored = Part<X>;
  Planes<const E, X> A;              // [tokens, H, d, d]
  Planes<const E, X> B;              // [tokens, H, d, dv]
  const std::int64_t* cu_seqlens;    // [N + 1], rising from 0 to the number of tokens; or null: T tokens a sequence
  Planes<Stored, X> P;               // [N, H, d, d]
  Planes<Stored, X> Z;               // [N, H, d, dv]
  Planes<Stored, X> P_node, Z_node;  // as A and B
  int T, H, d, dv;

  explicit Composition(const Call& call)
      : A(planes_of<const E, X>(call, "A")),
        B(planes_of<const E, X>(call, "B")),
        cu_seqlens(call.array<std::int64_t>("cu_seqlens")),
        P(planes_of<Stored, X>(call, "P")),
        Z(planes_of<Stored, X>(call, "Z")),
        P_node(planes_of<Stored, X>(call, "P_node")),
        Z_node(planes_of<Stored, X>(call, "Z_node")),
        T(static_cast<int>(call.size(Axis::time))),
        H(static_cast<int>(call.size(Axis::head))),
        d(static_cast<int>(call.size(Axis::feature))),
        dv(static_cast<int>(call.size(Axis::value))) {}

  __device__ std::int64_t begin(int n) const { return cu_seqlens ? cu_seqlens[n] : std::int64_t(n) * T; }
  __device__ std::int64_t end(int n) const { return cu_seqlens ? cu_seqlens[n + 1] : std::int64_t(n + 1) * T; }

  /// The number of token t and head h among all tokens and heads.
  __device__ std::int64_t row(std::int64_t t, int h) const { return t * H + h; }

  /// Blocks that take 16 columns of [P | Z] each.
  unsigned tiles() const { return static_cast<unsigned>(d + dv + compose_columns - 1) / compose_columns; }

  /// Entry (i, c) of a map's [P | Z]; zero beyond the last column.
  __device__ X operator()(MapPlace map, int i, int c) const {
    const std::int64_t at = map.row * d + i;
    if (c >= d + dv) return zero<X>();
    if (c < d) return map.is_node ? number(P_node, at * d + c) : number(A, at * d + c);
    return map.is_node ? number(Z_node, at * dv + c - d) : number(B, at * dv + c - d);
  }
  __device__ void set_node(std::int64_t row, int i, int c, X x) const { set(P_node, Z_node, row * d + i, c, x); }
  __device__ void set_result(int n, int h, int i, int c, X x) const {
    set(P, Z, (std::int64_t(n) * H + h) * d + i, c, x);
  }

 private:
  template <class T_>
  static __device__ X number(const Planes<T_, X>& planes, std::int64_t i) {
    return planes[i];
  }
  __device__ void set(const Planes<Stored, X>& products, const Planes<Stored, X>& states, std::int64_t at, int c,
                      X x) const {
    if (c < d)
      products.set(at * d + c, x);
    else if (c < d + dv)
      states.set(at * dv + c - d, x);
  }
};

/// A block's shared memory: 16 columns of [P | Z] of the first map, and some columns of P of the second.
template <class X>
struct ComposeTile {
  X right[compose_features][compose_columns];
  X left[compose_features][compose_slice];
};

/// What a thread holds of a block's columns of [P | Z]: rows group, group + 16, ... of one column.
template <class X>
struct ComposeColumn {
  int group, column, c;  // its column in the block, and of [P | Z]
  X entry[compose_rows];

  __device__ ComposeColumn()
      : group(threadIdx.x / compose_columns),
        column(threadIdx.x % compose_columns),
        c(blockIdx.x * compose_columns + column) {}

  /// Calls use(i, entry) for the rows that there are.
  template <class Use>
  __device__ void for_each(int d, Use use) {
#pragma unroll
    for (int r = 0; r < compose_rows; ++r)
      if (group + r * compose_groups < d) use(group + r * compose_groups, entry[r]);
  }
};

/// Takes the columns of [P_1 | Z_1] to those of [P_2 P_1 | P_2 Z_1 + Z_2]: each entry is a chain of multiply-adds from
/// 0 over the features in their order, then Z_2 is added.
// Preconditions: every thread of the block comes here; d <= 128.
template <class E, class X>
__device__ void carry(const Composition<E, X>& x, MapPlace second, ComposeTile<X>& tile, ComposeColumn<X>& held) {
  held.for_each(x.d, [&](int i, X& entry) {
    store(tile.right[i][held.column], entry);
    entry = zero<X>();
  });
  for (int from = 0; from < x.d; from += compose_slice) {
    const int width = min(compose_slice, x.d - from);
    __syncthreads();  // the slice before has been read
    for (int at = threadIdx.x; at < x.d * width; at += compose_threads)
      store(tile.left[at / width][at % width], x(second, at / width, from + at % width));
    __syncthreads();
    for (int k = 0; k < width; ++k) {
      const X factor = tile.right[from + k][held.column];
      held.for_each(x.d, [&](int i, X& entry) { entry = multiply_add(tile.left[i][k], factor, entry); });
    }
  }
  if (held.c >= x.d) held.for_each(x.d, [&](int i, X& entry) { entry = entry + x(second, i, held.c); });
  __syncthreads();  // the first map has been read
}

/// Roundings of a step, for each entry of [P_2 P_1 | P_2 Z_1 + Z_2] and component:
///   1. a chain of multiply-adds from 0 over the features, two a feature.
///   2. of P_2 Z_1 + Z_2: one addition.
/// The entries of a node are float32, whatever the maps are.
inline Contract compose_contract(Algorithm algorithm, Format element) {
  return {.algorithm = algorithm, .input = element};
}

/// Builds of a kernel of sfda.compose, where the unit has any.
template <class AddBuilds>
std::vector<Build> compose_builds_of(AddBuilds add_builds) {
  if constexpr (only_kernel.empty() || only_kernel.starts_with("sfda.compose/")) {
    const Limits limits{.feature = compose_features,
                        .value = compose_features,
                        .channels = {1},
                        .powers = {1},
                        .initial_state = false,
                        .nodes = true};
    OperatorBuilds builds(operators::sfda_compose(), limits);
    add_builds(builds);
    return builds.all();
  } else {
    return {};
  }
}

}  // namespace sfda
}  // namespace ASSAY_MACHINE
}  // namespace assay::kernels
