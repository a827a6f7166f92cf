#pragma once

#include <numbers>

#include "problem/kernel.hpp"
#include "simt/element.cuh"
#include "simt/elementary.cuh"

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

/// cos and sin of the rotated angle, and the label from before the rotation.
struct Encoded {
  float cosine, sine, label;
};

/// One dimension of one token, float32 throughout: three roundings to theta, one to each sum and product after it.
__device__ inline Encoded encode(float x, float omega, float lambda, float gamma, float position) {
  const float theta = std::numbers::pi_v<float> * (x / (1.0f + fabsf(x)));
  const float anchored = theta + omega;
  const float label = elementary::tanh(gamma * (elementary::cos(anchored) - elementary::sin(anchored)));
  const float rotated = fmaf(position, lambda, theta);
  return {elementary::cos(rotated), elementary::sin(rotated), label};
}

/// Channel n of c = 6, 4 or 3.
__device__ inline float channel_of(const Encoded& x, int n, int c) {
  if (n == 0) return 1.0f;
  const int six = c == 4 ? n + 2 : n;  // four channels leave out those of the angle alone
  if (six == 1) return x.cosine;
  if (six == 2) return x.sine;
  if (six == 3) return x.label;
  return x.label * (six == 4 ? x.cosine : x.sine);
}

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

  /// As GivenFeatures::stage, for token t, the `step`-th of sequence n.
  template <int Rows>
  __device__ void stage(float* phi_q, float* phi_k, std::int64_t t, std::int64_t step, int h, int n, int thread,
                        int threads) const {
    const int span = (d + 7) / 8;
    const float position = static_cast<float>((t0 ? t0[n] : 0) + step);
    for (int i = thread; i < 2 * d; i += threads) {
      const int a = i % d;
      const E* const x = i < d ? q : k;
      float* const phi = i < d ? phi_q : phi_k;
      const Encoded encoded =
          encode(simt::widen(x[(t * H + h) * d + a]), omega[h * d + a], lambda[h * d + a], gamma, position);
      for (int m = 0; m < c; ++m) phi[a / span * Rows + m * span + a % span] = channel_of(encoded, m, c);
    }
  }
};

/// What the encoding's functions contribute to a contract.
inline std::map<std::string_view, double> encoding_ulps() {
  return {{"sin", elementary::max_ulp::sin}, {"cos", elementary::max_ulp::cos}, {"tanh", elementary::max_ulp::tanh}};
}

}  // namespace sanatan
}  // namespace ASSAY_MACHINE
}  // namespace assay::kernels
