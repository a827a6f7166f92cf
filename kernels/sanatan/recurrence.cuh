#pragma once

#include "kernels/sanatan/quotient.cuh"
#include "problem/kernel.hpp"

namespace assay::kernels {
inline namespace ASSAY_MACHINE {
namespace sanatan {

/// What the kernels of the recurrence S += phi_k v^T, z += phi_k, o = phi_q^T S / (phi_q^T z + eps_raw) take beside the
/// features.
template <class E>
struct Recurrence {
  using A = simt::Accumulator<E>;
  const E* v;                      // [tokens, H, dv]
  const A* S0;                     // [N, H, c, d, dv] or null
  const A* z0;                     // [N, H, c, d] or null
  const std::int64_t* cu_seqlens;  // [N + 1], rising from 0 to the number of tokens; or null: T tokens a sequence
  E* o;                            // [tokens, H, dv]
  A* S;                            // [N, H, c, d, dv]
  A* z;                            // [N, H, c, d]
  A* N;                            // [tokens, H, dv] or null: o is N / (D + eps_raw)
  A* D;                            // [tokens, H] or null
  A eps_raw;                       // c eps, rounded once
  int T, H, c, d, dv;

  explicit Recurrence(const Call& call)
      : v(call.array<E>("v")),
        S0(call.array<A>("S0")),
        z0(call.array<A>("z0")),
        cu_seqlens(call.array<std::int64_t>("cu_seqlens")),
        o(call.array<E>("o")),
        S(call.array<A>("S")),
        z(call.array<A>("z")),
        N(call.array<A>("N")),
        D(call.array<A>("D")),
        eps_raw(simt::parameter_as<A>(call.parameter("normaliser") * call.parameter("eps"))),
        T(static_cast<int>(call.size(Axis::time))),
        H(static_cast<int>(call.size(Axis::head))),
        c(static_cast<int>(call.size(Axis::channel))),
        d(static_cast<int>(call.size(Axis::feature))),
        dv(static_cast<int>(call.size(Axis::value))) {}

  __device__ std::int64_t begin(int n) const { return cu_seqlens ? cu_seqlens[n] : std::int64_t(n) * T; }
  __device__ std::int64_t end(int n) const { return cu_seqlens ? cu_seqlens[n + 1] : std::int64_t(n + 1) * T; }

  /// Where token t of head h starts in v and o.
  __device__ std::int64_t row(std::int64_t t, int h) const { return (t * H + h) * dv; }

  /// Where the state of sequence n and head h starts in z; times dv in S.
  __device__ std::int64_t state(int n, int h) const { return (std::int64_t(n) * H + h) * c * d; }
};

}  // namespace sanatan
}  // namespace ASSAY_MACHINE
}  // namespace assay::kernels
