#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "oracle/matrix.hpp"
#include "oracle/sanatan/labels.hpp"
#include "oracle/sanatan/rotation.hpp"
#include "oracle/scalar.hpp"
#include "oracle/steps.hpp"

namespace assay::sanatan {

/// What the features need of T tokens, [T, d] each: the circle point after rotation and the label from before it.
template <Scalar K>
struct Encoding {
  Matrix<K> cosine;
  Matrix<K> sine;
  Matrix<K> label;
};

/// The parameters of one head: ω and λ [d], γ.
template <class Angle, Scalar K>
struct AngleParameters {
  std::vector<Angle> omega;
  std::vector<Angle> lambda;
  K gamma;
};

/// (cos θ_rot, sin θ_rot, r) for θ [T, d] at positions t0, t0 + 1, ….
/// Source: [SANATAN-notes] s2.2.
/// The order matters: labels first, from θ; then the rotation, after which no label is computed again.
/// Domain: θ, ω and λ of one width. Error: that of the label and of cos and sin at the rounded angle.
template <class Angle, Scalar K, class Tanh = RealTanh, Steps<K> S = Exact>
Encoding<K> encode(const Matrix<Angle>& theta, const AngleParameters<Angle, K>& head, std::int64_t t0,
                   const Tanh& tanh = {}, const S& steps = {}) {
  using std::cos, std::sin;
  const std::size_t T = theta.rows(), d = theta.cols();
  require_length(head.omega.size(), d, "omega");
  require_length(head.lambda.size(), d, "lambda");
  Encoding<K> x{Matrix<K>(T, d), Matrix<K>(T, d), Matrix<K>(T, d)};
  for (std::size_t t = 0; t < T; ++t) {
    for (std::size_t a = 0; a < d; ++a) {
      x.label(t, a) = label(theta(t, a), head.omega[a], head.gamma, tanh, steps);
      const Angle turned = rotated(theta(t, a), t0 + static_cast<std::int64_t>(t), head.lambda[a]);
      x.cosine(t, a) = steps.elementary(cos(turned));
      x.sine(t, a) = steps.elementary(sin(turned));
    }
  }
  return x;
}

}  // namespace assay::sanatan
