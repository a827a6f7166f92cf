#pragma once

#include <cmath>

#include "oracle/matrix.hpp"
#include "oracle/scalar.hpp"

namespace assay::sanatan {

/// i₊ = [[0, −1], [1, 0]], the quarter turn to the left: i₊² = −I.
/// Source: [SANATAN] s2.1-2.2, [SANATAN-post].
/// Error: none, the entries are integers.
template <Scalar K>
Matrix<K> i_plus() {
  Matrix<K> root(2, 2);
  root(0, 1) = K(-1);
  root(1, 0) = K(1);
  return root;
}

/// i₋ = [[0, 1], [−1, 0]], the quarter turn to the right: i₋² = −I.
/// Source: [SANATAN] s2.1-2.2, [SANATAN-post].
/// Error: none, the entries are integers.
template <Scalar K>
Matrix<K> i_minus() {
  return transpose(i_plus<K>());
}

/// cos θ − sin θ, the coefficient of i₊ in S(θ).
/// Source: [SANATAN] s2.1-2.2, [SANATAN-notes] s2.1.
/// Domain: every angle. Error: that of cos and sin, and one subtraction: near θ = π/4 (mod π) it is relative to 1,
/// not to the result.
template <class Angle>
auto root_coefficient(const Angle& theta) {
  using std::cos, std::sin;
  return cos(theta) - sin(theta);
}

/// S(θ) = cos θ i₊ + sin θ i₋ = [[0, −(cos θ − sin θ)], [cos θ − sin θ, 0]].
/// Source: [SANATAN-notes] s2.1, [SANATAN-post].
/// Domain: every angle. Error: that of cos and sin, and one addition an entry.
template <class Angle>
auto root_combination(const Angle& theta) {
  using std::cos, std::sin;
  using K = std::decay_t<decltype(cos(theta))>;
  return K(cos(theta)) * i_plus<K>() + K(sin(theta)) * i_minus<K>();
}

}  // namespace assay::sanatan
