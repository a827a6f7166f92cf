#pragma once

#include <string>

#include "kernels/sfda/control.cuh"

// What every kernel of the delta rule takes.

namespace assay::kernels {
inline namespace ASSAY_MACHINE {
namespace sfda {

/// An array of numbers in global memory, their components in planes of their own.
template <class T, class X>
struct Planes {
  T* part[planes<X>];  // all null where the caller gave no such array

  __device__ bool given() const { return part[0] != nullptr; }
  __device__ X operator[](std::int64_t i) const {
    return number_of<X>([&](int plane) { return simt::widen(part[plane][i]); });
  }
  /// Every component is rounded once.
  __device__ void set(std::int64_t i, X x) const {
    for (int plane = 0; plane < planes<X>; ++plane) part[plane][i] = simt::narrow<T>(part_of(x, plane));
  }
};

/// The tensor `name`, or name_re and name_im.
template <class T, class X>
Planes<T, X> planes_of(const Call& call, const std::string& name) {
  using Stored = std::remove_const_t<T>;
  if constexpr (planes<X> == 1)
    return {{call.array<Stored>(name)}};
  else
    return {{call.array<Stored>(name + "_re"), call.array<Stored>(name + "_im")}};
}

/// S_t = (I - beta k k*) Lambda S_(t-1) + beta k v*, o_t = S_t* q_t, with numbers X from elements E.
template <class E, class X, class Functions = Portable>
struct DeltaRule {
  using A = Part<X>;
  Planes<const E, X> q, k;  // [tokens, H, d]
  Planes<const E, X> v;     // [tokens, H, dv]
  Control<X, Functions> lambda;
  const A* beta;                   // [tokens, H]
  const std::int64_t* cu_seqlens;  // [N + 1], rising from 0 to the number of tokens; or null: T tokens a sequence
  Planes<const A, X> S0;           // [N, H, d, dv] or null
  Planes<E, X> o;                  // [tokens, H, dv]
  Planes<A, X> S;                  // [N, H, d, dv]
  int T, H, d, dv;

  DeltaRule(const Call& call, Decays decays)
      : q(planes_of<const E, X>(call, "q")),
        k(planes_of<const E, X>(call, "k")),
        v(planes_of<const E, X>(call, "v")),
        lambda(call, decays),
        beta(call.array<A>("beta")),
        cu_seqlens(call.array<std::int64_t>("cu_seqlens")),
        S0(planes_of<const A, X>(call, "S0")),
        o(planes_of<E, X>(call, "o")),
        S(planes_of<A, X>(call, "S")),
        T(static_cast<int>(call.size(Axis::time))),
        H(static_cast<int>(call.size(Axis::head))),
        d(static_cast<int>(call.size(Axis::feature))),
        dv(static_cast<int>(call.size(Axis::value))) {}

  __device__ std::int64_t begin(int n) const { return cu_seqlens ? cu_seqlens[n] : std::int64_t(n) * T; }
  __device__ std::int64_t end(int n) const { return cu_seqlens ? cu_seqlens[n + 1] : std::int64_t(n + 1) * T; }

  /// The number of token t and head h among all tokens and heads.
  __device__ std::int64_t row(std::int64_t t, int h) const { return t * H + h; }

  /// Where row i of the state of sequence n and head h starts.
  __device__ std::int64_t state(int n, int h, int i) const { return ((std::int64_t(n) * H + h) * d + i) * dv; }
};

}  // namespace sfda
}  // namespace ASSAY_MACHINE
}  // namespace assay::kernels
