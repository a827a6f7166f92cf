#pragma once

#include <cstddef>

#include "oracle/matrix.hpp"
#include "oracle/sanatan/features.hpp"
#include "oracle/scalar.hpp"

namespace assay::sanatan {

/// Features whose d constant channels are one: [T, (channels − 1) d + 1] with `constant` in column 0. A constant d on
/// one side and 1 on the other keeps every score, since Σ_a 1 · 1 = d · 1.
/// Differs from [SANATAN]: the state has (5d + 1)(dv + 1) entries instead of 6d (dv + 1).
/// Domain: features ordered [channel, dimension]. Error: none.
template <Scalar K>
Matrix<K> merged_constant(Channels channels, const Matrix<K>& phi, const K& constant) {
  const std::size_t d = phi.cols() / count(channels);
  require_shape(phi, phi.rows(), d * count(channels), "phi");
  Matrix<K> merged(phi.rows(), phi.cols() - d + 1, constant);
  for (std::size_t t = 0; t < phi.rows(); ++t)
    for (std::size_t f = d; f < phi.cols(); ++f) merged(t, f - d + 1) = phi(t, f);
  return merged;
}

}  // namespace assay::sanatan
