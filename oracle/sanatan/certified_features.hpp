#pragma once

#include <vector>

#include "arith/dd_lanes.hpp"
#include "oracle/sanatan/head.hpp"

namespace assay::sanatan {

/// Features of T tokens in double-double and how far they may be from the truth (certificate.md C1).
struct CertifiedFeatures {
  LaneArray theta;      ///< [T, d]; empty where features were given
  LaneArray r;          ///< [T, d]; likewise
  LaneArray phi;        ///< [T, channels · d]
  double label_radius;  ///< of every r
  std::vector<Matrix<double>>
      channel_radius;  ///< [T, d] for each channel; none where features were given, and so exact

  double radius(std::size_t t, std::size_t f) const {
    if (channel_radius.empty()) return 0;
    const std::size_t d = channel_radius.front().cols();
    return channel_radius[f / d](t, f % d);
  }

  /// The largest radius of each feature over the tokens.
  std::vector<double> radius_by_feature() const;
};

/// The radius of an angle θ in units of |θ|.
inline constexpr double theta_radius = 20 * 0x1p-106;

/// Φ of tokens x [T, d] by squash, label and rotation.                              [SANATAN] s3.1-3.3, [SANATAN-notes]
/// s2.2 Domain: |position · λ| ≤ 2^31, |ω| ≤ 2^31.
CertifiedFeatures certified_features(const Head<double>& head, const Matrix<double>& x, double gamma);

/// Φ_q or Φ_k of a head: computed, or given and exact.
enum class Side { query, key };
CertifiedFeatures certified_features(const Case& c, const Head<double>& head, Side side);

}  // namespace assay::sanatan
