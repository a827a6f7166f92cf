#pragma once

#include <cstdint>

#include "oracle/outside_domain.hpp"
#include "oracle/scalar.hpp"

namespace assay {

/// An angle of which only cos θ and sin θ are known: the angles of a field, where sums compose rotations.
/// A formula that adds angles, multiplies them by integers and takes cos and sin runs on it as on a real number.
template <Scalar K>
struct CircleAngle {
  K cosine{1};
  K sine{0};

  friend const K& cos(const CircleAngle& a) { return a.cosine; }
  friend const K& sin(const CircleAngle& a) { return a.sine; }

  CircleAngle operator-() const { return {cosine, -sine}; }
  friend CircleAngle operator+(const CircleAngle& a, const CircleAngle& b) {
    return {a.cosine * b.cosine - a.sine * b.sine, a.sine * b.cosine + a.cosine * b.sine};
  }
  friend CircleAngle operator-(const CircleAngle& a, const CircleAngle& b) { return a + (-b); }
  friend bool operator==(const CircleAngle&, const CircleAngle&) = default;
};

/// ((1 − t²)/(1 + t²), 2t/(1 + t²)): every point of the circle but (−1, 0). Degree 2 over 2 in t.
template <Scalar K>
CircleAngle<K> rational_angle(const K& t) {
  const K norm = K(1) + t * t;
  if (has_no_inverse(norm)) throw ZeroDenominator("rational_angle: 1 + t^2 = 0");
  return {(K(1) - t * t) / norm, (t + t) / norm};
}

/// nθ for real θ.
template <Scalar K>
K multiple(std::int64_t n, const K& theta) {
  return K(n) * theta;
}

/// nθ by composition, n of either sign.
template <Scalar K>
CircleAngle<K> multiple(std::int64_t n, const CircleAngle<K>& theta) {
  CircleAngle<K> result;
  CircleAngle<K> power = n < 0 ? -theta : theta;
  for (std::uint64_t left = n < 0 ? -static_cast<std::uint64_t>(n) : static_cast<std::uint64_t>(n); left != 0;
       left >>= 1) {
    if (left & 1) result = result + power;
    power = power + power;
  }
  return result;
}

}  // namespace assay
