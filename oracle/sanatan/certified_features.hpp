#pragma once

#include "arith/dd_lanes.hpp"
#include "oracle/sanatan/head.hpp"

namespace assay::sanatan {

/// Features in double-double, [T, channels · d], every entry within `radius` of the truth (certificate.md C1).
struct CertifiedFeatures {
  LaneArray phi;
  double radius;
};

/// Φ of tokens x [T, d] by squash, label and rotation.                              [SANATAN] s3.1-3.3, [SANATAN-notes]
/// s2.2 Domain: |position · λ| ≤ 2^31, |ω| ≤ 2^31.
CertifiedFeatures certified_features(const Head<double>& head, const Matrix<double>& x, double gamma);

/// Features that were given: exact.
CertifiedFeatures exact_features(const Matrix<double>& phi);

}  // namespace assay::sanatan
