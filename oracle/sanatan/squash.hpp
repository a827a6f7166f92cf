#pragma once

#include "oracle/scalar.hpp"

namespace assay::sanatan {

/// φ(u) = π u / (1 + |u|), from ℝ onto (−π, π).
/// Source: [SANATAN] s3.1-3.2, [SANATAN-notes] s2.2.
/// `magnitude` is |u|, given beside u because a field has no order.
/// Domain: every u. Error: three roundings and that of π, each relative. In binary32 |u| ≥ 2^24 makes u / (1 + |u|) =
/// 1, and the end points ±π are reached.
template <Scalar K>
K squash(const K& u, const K& magnitude, const K& pi) {
  return pi * u / (K(1) + magnitude);
}

/// φ'(u) = π / (1 + |u|)²; φ'(0) = π, and φ is not twice differentiable there.
/// Source: [SANATAN-notes] s2.2.
/// Domain: every u. Error: three roundings and that of π, each relative.
template <Scalar K>
K squash_slope(const K& magnitude, const K& pi) {
  const K denominator = K(1) + magnitude;
  return pi / (denominator * denominator);
}

/// φ⁻¹(θ) = θ / (π − |θ|).
/// Domain: |θ| < π. Error: two roundings and that of π; relative to π / (π − |θ|).
template <Scalar K>
K unsquash(const K& theta, const K& magnitude, const K& pi) {
  return theta / (pi - magnitude);
}

}  // namespace assay::sanatan
