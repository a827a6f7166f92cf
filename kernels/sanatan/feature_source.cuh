#pragma once

#include "kernels/sanatan/encoding.cuh"
#include "problem/kernel.hpp"

// Where the features of tokens come from: given, or computed from q and k. A kernel is a template over its source.

namespace assay::kernels {
inline namespace ASSAY_MACHINE {
namespace sanatan {

/// Some tokens of one head, and some of their dimensions.
struct FeatureBlock {
  std::int64_t token;  ///< the first one, counted over all sequences
  std::int64_t step;   ///< the same, counted from the start of its sequence
  int tokens;
  int n, h;
  int dimension;  ///< the first one
  int dimensions;
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

  /// Calls store(of_q, token, channel, dimension, feature) for every feature of the block, of phi_q and of phi_k,
  /// shared out over the threads; token and dimension are counted from the block's first.
  template <class Store>
  __device__ void visit(const FeatureBlock& block, int thread, int threads, Store store) const {
    for (int i = thread; i < block.tokens * c * block.dimensions; i += threads) {
      const int a = i % block.dimensions, m = i / block.dimensions % c, t = i / (block.dimensions * c);
      const std::int64_t at = (((block.token + t) * H + block.h) * c + m) * d + block.dimension + a;
      store(true, t, m, a, simt::widen(phi_q[at]));
      store(false, t, m, a, simt::widen(phi_k[at]));
    }
  }
};

/// Features computed from q and k.
template <class E>
struct ComputedFeatures {
  const E* q;              // [tokens, H, d]
  const E* k;              // [tokens, H, d]
  const float* omega;      // [H, d]
  const float* lambda;     // [H, d]
  const std::int64_t* t0;  // [N] or null: 0
  float gamma;
  int H, c, d;

  explicit ComputedFeatures(const Call& call)
      : q(call.array<E>("q")),
        k(call.array<E>("k")),
        omega(call.array<float>("omega")),
        lambda(call.array<float>("lambda")),
        t0(call.array<std::int64_t>("t0")),
        gamma(static_cast<float>(call.parameter("gamma"))),
        H(static_cast<int>(call.size(Axis::head))),
        c(static_cast<int>(call.size(Axis::channel))),
        d(static_cast<int>(call.size(Axis::feature))) {}

  /// As GivenFeatures::visit.
  template <class Store>
  __device__ void visit(const FeatureBlock& block, int thread, int threads, Store store) const {
    const std::int64_t first = (t0 ? t0[block.n] : 0) + block.step;
    const int count = block.tokens * block.dimensions;
    for (int i = thread; i < 2 * count; i += threads) {
      const bool of_q = i < count;
      const int a = i % block.dimensions, t = i / block.dimensions % block.tokens;
      const int at = block.h * d + block.dimension + a;
      const E x = (of_q ? q : k)[(block.token + t) * H * d + at];
      const auto position = static_cast<float>(first + t);
      const Encoded encoded = encode<Portable>(simt::widen(x), omega[at], lambda[at], gamma, position);
      for (int m = 0; m < c; ++m) store(of_q, t, m, a, channel_of(encoded, m, c));
    }
  }
};

}  // namespace sanatan
}  // namespace ASSAY_MACHINE
}  // namespace assay::kernels
