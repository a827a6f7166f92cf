#pragma once

#include <cstdint>

#include "oracle/circle_angle.hpp"
#include "oracle/sanatan/labels.hpp"
#include "oracle/scalar.hpp"

namespace assay::sanatan {

/// λ = λ_max tanh(λ_raw), λ_max = 1/100 in the paper: |λ| < λ_max.
/// Source: [SANATAN] s3.1-3.2, [SANATAN-notes] s2.2.
/// Domain: every λ_raw. Error: one rounding and that of tanh; a rounded tanh reaches λ_max.
template <Scalar K, class Tanh = RealTanh>
K frequency(const K& raw, const K& maximum, const Tanh& tanh = {}) {
  return maximum * tanh(raw);
}

/// dλ/dλ_raw = λ_max (1 − tanh²(λ_raw)).
template <Scalar K, class Tanh = RealTanh>
K frequency_slope(const K& raw, const K& maximum, const Tanh& tanh = {}) {
  const K t = tanh(raw);
  return maximum * (K(1) - t * t);
}

/// θ_rot = θ + t λ.
/// Source: [SANATAN] s3.1-3.2, App. A eq. 10-14, [SANATAN-notes] s2.2.
/// Queries and keys share λ, so that θ_rot(q, t) − θ_rot(k, j) = θ_q − θ_k + (t − j) λ.
/// Domain: every θ, λ and integer t. Error: two roundings; the product grows with t.
template <class Angle>
Angle rotated(const Angle& theta, std::int64_t t, const Angle& lambda) {
  return theta + multiple(t, lambda);
}

}  // namespace assay::sanatan
