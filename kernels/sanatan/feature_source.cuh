#pragma once

#include "problem/tensor.hpp"
#include "problem/kernel.hpp"
#include "simt/element.cuh"

// Where the features of a token come from: given, or computed from q and k. A kernel is a template over its source.

namespace assay::kernels {
inline namespace ASSAY_MACHINE {
namespace sanatan {

/// Row r of a part holds dimension `part * span + r % span` of channel r / span, if there are such.
struct StateRows {
  int c, d, part, span;

  /// The feature's number in [c, d], or -1 for a row of padding.
  __device__ int feature(int r) const {
    const int n = r / span, a = part * span + r % span;
    return n < c && a < d ? n * d + a : -1;
  }
};

/// Features that the caller computed.
template <class E>
struct GivenFeatures {
  using A = simt::Accumulator<E>;
  const E* phi_q;  // [tokens, H, c, d]
  const E* phi_k;  // [tokens, H, c, d]
  int H, c, d;

  explicit GivenFeatures(const Call& call)
      : phi_q(call.array<E>("phi_q")),
        phi_k(call.array<E>("phi_k")),
        H(static_cast<int>(call.size(Axis::head))),
        c(static_cast<int>(call.size(Axis::channel))),
        d(static_cast<int>(call.size(Axis::feature))) {}

  /// Writes the features of token t into shared arrays [part, Rows], 8 parts. All threads of the block call it.
  template <int Rows>
  __device__ void stage(A* q, A* k, std::int64_t t, std::int64_t, int h, int, int thread, int threads) const {
    const int span = (d + 7) / 8;
    for (int f = thread; f < c * d; f += threads) {
      const int n = f / d, a = f % d, at = a / span * Rows + n * span + a % span;
      q[at] = simt::widen(phi_q[(t * H + h) * c * d + f]);
      k[at] = simt::widen(phi_k[(t * H + h) * c * d + f]);
    }
  }
};

}  // namespace sanatan
}  // namespace ASSAY_MACHINE
}  // namespace assay::kernels
