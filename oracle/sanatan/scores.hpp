#pragma once

#include <vector>

#include "oracle/matrix.hpp"
#include "oracle/sanatan/features.hpp"
#include "oracle/scalar.hpp"
#include "oracle/steps.hpp"

namespace assay::sanatan {

/// One dimension's score from ρ = r_q r_k and cos Δ:
///   six channels    (1 + ρ) (1 + cos Δ)      in [0, 4] for |r| ≤ 1          [SANATAN] s3.3 eq. 7, App. A
///   four channels   1 + ρ (1 + cos Δ)        in [−1, 3]                     [SANATAN] s3.3, [SANATAN-notes] s2.5
///   three channels  1 + cos Δ                in [0, 2]                      [SANATAN-notes] s4.4
/// Domain: every ρ, cos Δ. Error: two or three roundings; the sums are relative to 1.
template <Scalar K>
K dimension_score(Channels channels, const K& rho, const K& cos_delta) {
  const K similarity = K(1) + cos_delta;
  switch (channels) {
    case Channels::six:
      return (K(1) + rho) * similarity;
    case Channels::four:
      return K(1) + rho * similarity;
    case Channels::three:
      return similarity;
  }
  throw OutsideDomain("channels = " + std::to_string(count(channels)) + ": needs 6, 4 or 3");
}

/// s_tj = ⟨Φ(q_t), Φ(k_j)⟩ for every pair [Tq, Tk], the sum of the dimensions' scores.
/// Source: [SANATAN] s3.3 eq. 7, [SANATAN-notes] overview.
/// Domain: features of one width. Error: that of an inner product of channels · d terms.
template <Scalar K, Steps<K> S = Exact>
Matrix<K> scores(const Matrix<K>& phi_q, const Matrix<K>& phi_k, const S& steps = {}) {
  require_shape(phi_k, phi_k.rows(), phi_q.cols(), "phi_k");
  Matrix<K> s(phi_q.rows(), phi_k.rows());
  for (std::size_t t = 0; t < s.rows(); ++t)
    for (std::size_t j = 0; j < s.cols(); ++j) s(t, j) = dot<K>(phi_q.row(t), phi_k.row(j), steps);
  return s;
}

/// Which scores survive the clip of the four-channel model: 1 where s > 0, else 0.
template <OrderedScalar K>
Matrix<int> open_scores(const Matrix<K>& s) {
  Matrix<int> open(s.rows(), s.cols());
  for (std::size_t t = 0; t < s.rows(); ++t)
    for (std::size_t j = 0; j < s.cols(); ++j) open(t, j) = K(0) < s(t, j) ? 1 : 0;
  return open;
}

/// max(s, 0) of the total score, applied before any power.
/// Source: [SANATAN] s3.3, [SANATAN-notes] s2.5.
/// `open` marks the positive scores; it is given apart because a field has no order.
/// Domain: marks of the scores' shape. Error: none; a score within its error of 0 may fall on either side.
template <Scalar K>
Matrix<K> clipped(const Matrix<K>& s, const Matrix<int>& open) {
  require_shape(open, s.rows(), s.cols(), "open");
  Matrix<K> result(s.rows(), s.cols());
  for (std::size_t t = 0; t < s.rows(); ++t)
    for (std::size_t j = 0; j < s.cols(); ++j)
      if (open(t, j)) result(t, j) = s(t, j);
  return result;
}

}  // namespace assay::sanatan
