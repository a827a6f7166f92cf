#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "oracle/matrix.hpp"
#include "oracle/sanatan/attention_gradients.hpp"
#include "oracle/sanatan/encoding_gradients.hpp"
#include "oracle/sanatan/recurrence_gradients.hpp"
#include "oracle/sanatan/scores.hpp"
#include "oracle/sanatan/squash.hpp"
#include "oracle/scalar.hpp"

namespace assay::sanatan {

/// One head's operator from content angles on: θ_q, θ_k [T, d], v [T, dv], ω, λ [d], γ, positions from t0.
template <class Angle, Scalar K>
struct HeadInputs {
  Channels channels = Channels::six;
  Matrix<Angle> theta_q;
  Matrix<Angle> theta_k;
  Matrix<K> v;
  AngleParameters<Angle, K> angles;
  std::int64_t t0 = 0;
};

/// One gradient an input. `initial` is empty where the operator has no state.
template <Scalar K>
struct Gradients {
  Matrix<K> theta_q;
  Matrix<K> theta_k;
  Matrix<K> v;
  std::vector<K> omega;
  std::vector<K> lambda;
  State<K> initial = {};
};

namespace detail {

/// From features back to angles and parameters: ω and λ are shared, so queries and keys add up.
template <class Angle, Scalar K>
Gradients<K> through_encoding(const HeadInputs<Angle, K>& head, const Encoding<K>& q, const Encoding<K>& k,
                              const Matrix<K>& d_phi_q, const Matrix<K>& d_phi_k) {
  auto dq = encoding_gradients(head.theta_q, head.angles, head.t0, q, feature_gradients(head.channels, q, d_phi_q));
  auto dk = encoding_gradients(head.theta_k, head.angles, head.t0, k, feature_gradients(head.channels, k, d_phi_k));
  for (std::size_t a = 0; a < dq.omega.size(); ++a) {
    dq.omega[a] = dq.omega[a] + dk.omega[a];
    dq.lambda[a] = dq.lambda[a] + dk.lambda[a];
  }
  return {std::move(dq.theta), std::move(dk.theta), {}, std::move(dq.omega), std::move(dq.lambda)};
}

}  // namespace detail

/// Gradients of o = attention(clip(⟨Φ(q), Φ(k)⟩), v) for one dO [T, dv].
/// Source: chain rule on [SANATAN] s3 eq. 2-8.
/// `open` marks the scores that the clip lets through; all ones where the model does not clip. At s = 0 the clip's
/// derivative is taken to be 0.
/// Domain: as attention. Error: exact in exact arithmetic.
template <class Angle, Scalar K, class Tanh = RealTanh>
Gradients<K> parallel_gradients(const HeadInputs<Angle, K>& head, const WeightRule<K>& rule, const Matrix<int>& open,
                                const Matrix<K>& d_output, const Tanh& tanh = {}) {
  const Encoding<K> q = encode(head.theta_q, head.angles, head.t0, tanh);
  const Encoding<K> k = encode(head.theta_k, head.angles, head.t0, tanh);
  const Matrix<K> phi_q = features(head.channels, q), phi_k = features(head.channels, k);
  auto d = attention_gradients(clipped(scores(phi_q, phi_k), open), head.v, rule, d_output);
  const auto [d_phi_q, d_phi_k] = score_gradients(clipped(d.scores, open), phi_q, phi_k);
  Gradients<K> result = detail::through_encoding(head, q, k, d_phi_q, d_phi_k);
  result.v = std::move(d.v);
  return result;
}

/// Gradients of the p = 1 recurrence from an initial state, for dO [T, dv] and the gradient of the final state.
/// Source: chain rule on [SANATAN] s3.4-3.5 eq. 9.
/// Domain: as recurrence. Error: exact in exact arithmetic.
template <class Angle, Scalar K, class Tanh = RealTanh>
Gradients<K> recurrent_gradients(const HeadInputs<Angle, K>& head, const K& epsilon, const State<K>& initial,
                                 const Matrix<K>& d_output, const State<K>& d_final, const Tanh& tanh = {}) {
  const Encoding<K> q = encode(head.theta_q, head.angles, head.t0, tanh);
  const Encoding<K> k = encode(head.theta_k, head.angles, head.t0, tanh);
  auto d = recurrence_gradients(features(head.channels, q), features(head.channels, k), head.v, initial, epsilon,
                                d_output, d_final);
  Gradients<K> result = detail::through_encoding(head, q, k, d.phi_q, d.phi_k);
  result.v = std::move(d.v);
  result.initial = std::move(d.initial);
  return result;
}

/// dx = φ'(x) dθ, entry by entry, from the content angles back to the projections; `magnitude` is |x|.
/// At x = 0 φ' = π from both sides. Domain: x of θ's shape. Error: that of φ'.
template <Scalar K>
Matrix<K> squash_gradients(const Matrix<K>& magnitude, const K& pi, const Matrix<K>& d_theta) {
  require_shape(d_theta, magnitude.rows(), magnitude.cols(), "d_theta");
  Matrix<K> dx(d_theta.rows(), d_theta.cols());
  for (std::size_t t = 0; t < dx.rows(); ++t)
    for (std::size_t a = 0; a < dx.cols(); ++a) dx(t, a) = squash_slope(magnitude(t, a), pi) * d_theta(t, a);
  return dx;
}

}  // namespace assay::sanatan
