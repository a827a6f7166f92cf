#pragma once

#include <cstddef>
#include <vector>

#include "oracle/circle_angle.hpp"
#include "oracle/matrix.hpp"
#include "oracle/scalar.hpp"

namespace assay::sfda {

/// [[a, b], [c, d]].
template <Scalar K>
struct PairBlock {
  K a{1}, b{0}, c{0}, d{1};

  friend PairBlock operator*(const PairBlock& x, const PairBlock& y) {
    return {x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d, x.c * y.a + x.d * y.c, x.c * y.b + x.d * y.d};
  }
  friend bool operator==(const PairBlock&, const PairBlock&) = default;
};

/// α R(θ), the real form of multiplication by α e^{iθ}.
/// Source: [SFDA] Prop. 3.3, Lemma A.1; [SFDA-notes] s2.2.
template <Scalar K>
PairBlock<K> rotation(const CircleAngle<K>& theta, const K& alpha = K(1)) {
  const K c = alpha * theta.cosine, s = alpha * theta.sine;
  return {c, -s, s, c};
}

/// The reflection that maps the angle φ to θ − φ.
/// Source: [SFDA] Thm 5.7; [SFDA-notes] s3.4.
template <Scalar K>
PairBlock<K> reflection(const CircleAngle<K>& theta) {
  return {theta.cosine, theta.sine, theta.sine, -theta.cosine};
}

template <Scalar K>
K determinant(const PairBlock<K>& x) {
  return x.a * x.d - x.b * x.c;
}

/// Λ of independent blocks on the coordinate pairs (0, 1), (2, 3), ...: rotations, reflections or any 2 x 2 matrices.
/// Source: [SFDA] def. 5.1-5.2; [SFDA-notes] s2.3, s3.5.
template <Scalar K>
struct PairBlocks {
  std::vector<PairBlock<K>> blocks;

  std::size_t width() const { return 2 * blocks.size(); }

  Matrix<K> times(const Matrix<K>& S) const {
    return applied(S, [](const PairBlock<K>& x) { return x; });
  }
  Matrix<K> adjoint_times(const Matrix<K>& S) const {
    return applied(S, [](const PairBlock<K>& x) { return PairBlock<K>{conj(x.a), conj(x.c), conj(x.b), conj(x.d)}; });
  }

  friend PairBlocks operator*(const PairBlocks& a, const PairBlocks& b) {
    require_length(b.width(), a.width(), "right factor");
    PairBlocks result = a;
    for (std::size_t i = 0; i < a.blocks.size(); ++i) result.blocks[i] = a.blocks[i] * b.blocks[i];
    return result;
  }
  static PairBlocks identity(std::size_t d) {
    if (d % 2 != 0) throw OutsideDomain("width = " + std::to_string(d) + ": blocks of two need an even width");
    return {std::vector<PairBlock<K>>(d / 2)};
  }

 private:
  template <class Block>
  Matrix<K> applied(const Matrix<K>& S, Block block) const {
    require_length(S.rows(), width(), "a column");
    Matrix<K> result(S.rows(), S.cols());
    for (std::size_t p = 0; p < blocks.size(); ++p) {
      const PairBlock<K> x = block(blocks[p]);
      for (std::size_t j = 0; j < S.cols(); ++j) {
        result(2 * p, j) = x.a * S(2 * p, j) + x.b * S(2 * p + 1, j);
        result(2 * p + 1, j) = x.c * S(2 * p, j) + x.d * S(2 * p + 1, j);
      }
    }
    return result;
  }
};

}  // namespace assay::sfda
