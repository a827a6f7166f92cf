#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "oracle/matrix.hpp"
#include "oracle/sanatan/encoding.hpp"
#include "oracle/scalar.hpp"
#include "oracle/steps.hpp"

namespace assay::sanatan {

/// The feature maps of the paper, by their number of channels.
enum class Channels : std::size_t { three = 3, four = 4, six = 6 };

constexpr std::size_t count(Channels channels) { return static_cast<std::size_t>(channels); }

/// Φ_a = [1, cos θ, sin θ, r, r cos θ, r sin θ] of one dimension.
/// Source: [SANATAN] s3.3, [SANATAN-notes] s2.3.
/// Domain: every c, s, r; the angle enters as its circle point. Error: one rounding in each of the last two.
template <Scalar K, Steps<K> S = Exact>
std::array<K, 6> six_channels(const K& c, const K& s, const K& r, const S& steps = {}) {
  return {K(1), c, s, r, steps.weights(r * c), steps.weights(r * s)};
}

/// Φ_a = [1, r, r cos θ, r sin θ]: six channels without the angle's own.
/// Source: [SANATAN] s3.3, [SANATAN-notes] s2.5.
/// Domain: every c, s, r. Error: one rounding in each of the last two.
template <Scalar K, Steps<K> S = Exact>
std::array<K, 4> four_channels(const K& c, const K& s, const K& r, const S& steps = {}) {
  return {K(1), r, steps.weights(r * c), steps.weights(r * s)};
}

/// Φ_a = [1, cos θ, sin θ]: the ablation without labels.
/// Source: [SANATAN] s5.3, [SANATAN-notes] s4.4.
/// Domain: every c, s. Error: none.
template <Scalar K>
std::array<K, 3> three_channels(const K& c, const K& s) {
  return {K(1), c, s};
}

namespace detail {

/// Entry (channel n, dimension a) is column n d + a.
template <Scalar K, std::size_t C>
void place(std::span<K> row, const std::array<K, C>& block, std::size_t a) {
  const std::size_t d = row.size() / C;
  for (std::size_t n = 0; n < C; ++n) row[n * d + a] = block[n];
}

}  // namespace detail

/// Φ [T, channels · d] of T tokens.
/// Source: [SANATAN] s3.3, [SANATAN-notes] s2.3.
/// Differs from [SANATAN]: columns are ordered [channel, dimension] instead of [dimension, channel]; no inner product
/// changes, and one channel of all dimensions is contiguous.
/// Domain: an encoding [T, d]. Error: that of a block.
template <Scalar K, Steps<K> S = Exact>
Matrix<K> features(Channels channels, const Encoding<K>& x, const S& steps = {}) {
  const std::size_t T = x.label.rows(), d = x.label.cols();
  require_shape(x.cosine, T, d, "cosine");
  require_shape(x.sine, T, d, "sine");
  Matrix<K> phi(T, count(channels) * d);
  for (std::size_t t = 0; t < T; ++t) {
    for (std::size_t a = 0; a < d; ++a) {
      const K &c = x.cosine(t, a), &s = x.sine(t, a), &r = x.label(t, a);
      if (channels == Channels::six) detail::place(phi.row(t), six_channels(c, s, r, steps), a);
      if (channels == Channels::four) detail::place(phi.row(t), four_channels(c, s, r, steps), a);
      if (channels == Channels::three) detail::place(phi.row(t), three_channels(c, s), a);
    }
  }
  return phi;
}

}  // namespace assay::sanatan
