#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "oracle/matrix.hpp"
#include "oracle/sanatan/encoding.hpp"
#include "oracle/sanatan/features.hpp"
#include "oracle/scalar.hpp"

namespace assay::sanatan {

/// Gradients with respect to (cos θ_rot, sin θ_rot, r), from those of the features:
///   six    dc = g_c + r g_rc,  ds = g_s + r g_rs,  dr = g_r + c g_rc + s g_rs
///   four   dc = r g_rc,        ds = r g_rs,        dr = g_r + c g_rc + s g_rs
///   three  dc = g_c,           ds = g_s,           dr = 0
/// Source: chain rule on the feature maps of [SANATAN] s3.3, columns ordered [channel, dimension].
/// Domain: dΦ [T, channels · d]. Error: exact in exact arithmetic; at most three terms a sum.
template <Scalar K>
Encoding<K> feature_gradients(Channels channels, const Encoding<K>& x, const Matrix<K>& d_phi) {
  const std::size_t T = x.label.rows(), d = x.label.cols(), n = count(channels);
  require_shape(d_phi, T, n * d, "d_phi");
  Encoding<K> dx{Matrix<K>(T, d), Matrix<K>(T, d), Matrix<K>(T, d)};
  for (std::size_t t = 0; t < T; ++t) {
    for (std::size_t a = 0; a < d; ++a) {
      const auto g = [&](std::size_t channel) { return d_phi(t, channel * d + a); };
      if (channels != Channels::four) {
        dx.cosine(t, a) = g(1);
        dx.sine(t, a) = g(2);
      }
      if (channels == Channels::three) continue;
      const K &c = x.cosine(t, a), &s = x.sine(t, a), &r = x.label(t, a);
      const K g_rc = g(n - 2), g_rs = g(n - 1);
      dx.cosine(t, a) = dx.cosine(t, a) + r * g_rc;
      dx.sine(t, a) = dx.sine(t, a) + r * g_rs;
      dx.label(t, a) = g(n - 3) + c * g_rc + s * g_rs;
    }
  }
  return dx;
}

/// Gradients with respect to the content angles [T, d] and the head's parameters [d].
template <Scalar K>
struct EncodingGradients {
  Matrix<K> theta;
  std::vector<K> omega;
  std::vector<K> lambda;
};

/// With θ̇_rot = cos θ_rot · ds − sin θ_rot · dc and r' = ∂r/∂θ = ∂r/∂ω at position n = t0 + t:
///   dθ_t = θ̇_rot + r' dr       dω = Σ_t r' dr       dλ = Σ_t n θ̇_rot
/// The rotation reaches no label, hence λ has no term in dr.
/// Source: chain rule on [SANATAN] s3.1-3.2.
/// Domain: as encode. Error: exact in exact arithmetic; dλ grows with the position.
template <class Angle, Scalar K>
EncodingGradients<K> encoding_gradients(const Matrix<Angle>& theta, const AngleParameters<Angle, K>& head,
                                        std::int64_t t0, const Encoding<K>& x, const Encoding<K>& dx) {
  const std::size_t T = theta.rows(), d = theta.cols();
  EncodingGradients<K> result{Matrix<K>(T, d), std::vector<K>(d, K(0)), std::vector<K>(d, K(0))};
  for (std::size_t t = 0; t < T; ++t) {
    const K position(t0 + static_cast<std::int64_t>(t));
    for (std::size_t a = 0; a < d; ++a) {
      const K turn = x.cosine(t, a) * dx.sine(t, a) - x.sine(t, a) * dx.cosine(t, a);
      const K anchor = label_slope(theta(t, a), head.omega[a], head.gamma, x.label(t, a)) * dx.label(t, a);
      result.theta(t, a) = turn + anchor;
      result.omega[a] = result.omega[a] + anchor;
      result.lambda[a] = result.lambda[a] + position * turn;
    }
  }
  return result;
}

}  // namespace assay::sanatan
