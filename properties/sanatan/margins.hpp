#pragma once

#include "oracle/circle_angle.hpp"
#include "oracle/scalar.hpp"

/// Distances of a gate and a similarity from their ends as terms of known sign, for labels in [−1, 1].
namespace assay::sanatan {

/// 2 (1 + r r') = (1 + r)(1 + r') + (1 − r)(1 − r').
template <Scalar K>
K twice_open_gate(const K& r, const K& r2) {
  return (K(1) + r) * (K(1) + r2) + (K(1) - r) * (K(1) - r2);
}

/// 2 (1 − r r') = (1 + r)(1 − r') + (1 − r)(1 + r').
template <Scalar K>
K twice_closed_gate(const K& r, const K& r2) {
  return twice_open_gate(r, K(-r2));
}

/// 2 (1 + cos Δ) = |z + z'|².
template <Scalar K>
K squared_sum(const CircleAngle<K>& z, const CircleAngle<K>& z2) {
  const K c = z.cosine + z2.cosine, s = z.sine + z2.sine;
  return c * c + s * s;
}

/// 2 (1 − cos Δ) = |z − z'|².
template <Scalar K>
K squared_distance(const CircleAngle<K>& z, const CircleAngle<K>& z2) {
  const K c = z.cosine - z2.cosine, s = z.sine - z2.sine;
  return c * c + s * s;
}

}  // namespace assay::sanatan
