#pragma once

#include <cmath>

#include "oracle/sanatan/roots.hpp"
#include "oracle/scalar.hpp"
#include "oracle/steps.hpp"

namespace assay::sanatan {

/// tanh of real numbers; over a field its place is taken by axiom::Tanh.
struct RealTanh {
  template <class K>
  K operator()(const K& x) const {
    using std::tanh;
    return tanh(x);
  }
};

/// r = tanh(γ (cos(θ + ω) − sin(θ + ω))), the soft sign of the coefficient of S(θ + ω).
/// Source: [SANATAN] s3.1-3.2, [SANATAN-notes] s2.2.
/// θ is the content angle, before rotation: the label of a token does not depend on its position.
/// Domain: every θ, ω, γ. Error: that of the argument times γ (1 − r²), and of tanh. |r| ≤ tanh(γ √2) < 1, but a
/// rounded tanh reaches ±1.
template <class Angle, Scalar K, class Tanh = RealTanh, Steps<K> S = Exact>
K label(const Angle& theta, const Angle& omega, const K& gamma, const Tanh& tanh = {}, const S& steps = {}) {
  return steps.elementary(tanh(steps.product(gamma * steps.accumulate(root_coefficient(theta + omega)))));
}

/// ∂r/∂θ = ∂r/∂ω = −γ (1 − r²) (cos(θ + ω) + sin(θ + ω)), given r.
/// Domain: every θ, ω, γ. Error: that of 1 − r², which is relative to 1: a saturated label has slope 0.
template <class Angle, Scalar K>
K label_slope(const Angle& theta, const Angle& omega, const K& gamma, const K& r) {
  using std::cos, std::sin;
  const Angle anchored = theta + omega;
  return -gamma * (K(1) - r * r) * (cos(anchored) + sin(anchored));
}

}  // namespace assay::sanatan
