#pragma once

#include "oracle/rounding_units.hpp"
#include "oracle/sanatan/head.hpp"
#include "problem/precision.hpp"

namespace assay::sanatan {

/// Features in double and how far a kernel's may be from them, [T, channels · d].
struct FeatureError {
  Matrix<double> phi;
  Matrix<double> error;
};

/// B1 for the tokens x [T, d] of a head: errors of θ and r [T, d], values and errors of φ.
struct EncodingError {
  Matrix<double> theta, r;
  FeatureError phi;
};
EncodingError encoding_error(const Head<double>& head, const Matrix<double>& x, double gamma, const Contract& contract,
                             const RoundingUnits& units = {});

/// Φ_q and Φ_k of a head: computed by B1, or given and exact.
FeatureError query_error(const Head<double>& head, const Case& c, const Contract& contract);
FeatureError key_error(const Head<double>& head, const Case& c, const Contract& contract);

}  // namespace assay::sanatan
