#pragma once

#include "oracle/matrix.hpp"
#include "oracle/scalar.hpp"

namespace assay::sfda {

/// A tied write at k routed by R, in the place of a free write at w after G: R [d, d], G̃ [d, d], k [d, 1].
/// Source: [SFDA] Thm F.2; [SFDA-notes] s3.5.
template <Scalar K>
struct TiedWrite {
  Matrix<K> R, G, k;

  Matrix<K> wanted_control() const { return R * G; }
  Matrix<K> wanted_direction() const { return R * k; }
};

/// R [(I − k k*) G̃ x + k r]: equals R G̃ x + R k r where k* G̃ x = 0, and falls short of it by R k (k* G̃ x).
/// Source: [SFDA] Thm F.2; [SFDA-notes] s3.5. β = 1; ‖k‖ = 1 is not used.
/// Domain: x [d, n], r [1, n].
template <Scalar K>
Matrix<K> routed(const TiedWrite<K>& t, const Matrix<K>& x, const Matrix<K>& r) {
  const Matrix<K> moved = t.G * x;
  return t.R * (moved - t.k * (adjoint(t.k) * moved) + t.k * r);
}

/// G x + w r, the decoupled write.
/// Source: [SFDA] Thm F.2; [SFDA-notes] s3.5.
template <Scalar K>
Matrix<K> decoupled(const Matrix<K>& G, const Matrix<K>& w, const Matrix<K>& x, const Matrix<K>& r) {
  return G * x + w * r;
}

/// k* G̃ x [1, n]: what the erasure would take from the memory. The write is protected where it is zero.
/// Source: [SFDA] Thm F.2; [SFDA-notes] s3.5.
template <Scalar K>
Matrix<K> exposed(const TiedWrite<K>& t, const Matrix<K>& x) {
  return adjoint(t.k) * (t.G * x);
}

}  // namespace assay::sfda
