#pragma once

#include <cmath>
#include <map>
#include <numbers>
#include <string_view>

#include "kernels/function_sets.cuh"
#include "simt/element.cuh"

// Features of one dimension of one token, in float32 throughout; tanh, cos and sin come from `Functions`.

namespace assay::kernels {
inline namespace ASSAY_MACHINE {
namespace sanatan {

/// The content angle, cos and sin of the rotated one, and the label from before the rotation.
struct Encoded {
  float theta, cosine, sine, label;
};

/// theta = pi x / (1 + |x|), r = tanh(gamma (cos - sin)(theta + omega)), cos and sin of theta + position lambda.
///
/// Rounds the constant pi, then in this order: 1 + |x|, x / it, pi times it; theta + omega, its cos, its sin, their
/// difference, gamma times it, its tanh; position lambda + theta in one fma, its cos, its sin.
template <class Functions>
__device__ Encoded encode(float x, float omega, float lambda, float gamma, float position) {
  const float theta = std::numbers::pi_v<float> * (x / (1.0f + fabsf(x)));
  const float anchored = theta + omega;
  const float label = Functions::tanh(gamma * (Functions::cos(anchored) - Functions::sin(anchored)));
  const float rotated = fmaf(position, lambda, theta);
  return {theta, Functions::cos(rotated), Functions::sin(rotated), label};
}

/// Channel n of c = 6: 1, cos, sin, r, r cos, r sin; of c = 4: 1, r, r cos, r sin; of c = 3: 1, cos, sin. A product
/// rounds once.
__device__ inline float channel_of(const Encoded& x, int n, int c) {
  if (n == 0) return 1.0f;
  const int six = c == 4 ? n + 2 : n;
  if (six == 1) return x.cosine;
  if (six == 2) return x.sine;
  if (six == 3) return x.label;
  return x.label * (six == 4 ? x.cosine : x.sine);
}

/// What the encoding's functions contribute to a contract.
template <class Functions = Portable>
std::map<std::string_view, double> encoding_ulps() {
  return {{"sin", Functions::Ulp::sin}, {"cos", Functions::Ulp::cos}, {"tanh", Functions::Ulp::tanh}};
}

}  // namespace sanatan
}  // namespace ASSAY_MACHINE
}  // namespace assay::kernels
