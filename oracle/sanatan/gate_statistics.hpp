#pragma once

#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "oracle/outside_domain.hpp"
#include "oracle/sanatan/squash.hpp"
#include "oracle/scalar.hpp"

/// What labels look like when nothing was learned: angles uniform on the circle, any anchor ω.
namespace assay::sanatan {

template <class K>
struct Bracket {
  K low;
  K high;
};

/// |x| ≤ s of x uniform on the circle's sine, from which |tanh(γ √2 x)| exceeds t: s = atanh(t) / (γ √2).
/// Domain: 0 ≤ t < 1, γ > 0. Error: that of atanh and √2, relative.
template <OrderedScalar K>
K undecided_sine(const K& gamma, const K& t) {
  using std::atanh, std::sqrt;
  if (!(K(0) < gamma) || t < K(0) || !(t < K(1)))
    throw OutsideDomain("label threshold: needs 0 <= t < 1 and gamma > 0");
  return atanh(t) / (gamma * sqrt(K(2)));
}

/// P(|r| > t) = 1 − (2/π) asin(s), 0 where s ≥ 1: the argument of tanh is γ √2 times the cosine of a uniform angle.
///                                                                                 derived from [SANATAN] s3.1
/// Domain: as undecided_sine. Error: that of asin, at condition s / √(1 − s²).
template <OrderedScalar K>
K decided_share(const K& gamma, const K& t, const K& pi) {
  using std::asin;
  const K s = undecided_sine(gamma, t);
  if (!(s < K(1))) return K(0);
  return K(1) - K(2) / pi * asin(s);
}

/// The magnitudes |u| between which |r| > t at ω = π/4: φ⁻¹(asin s) and φ⁻¹(π − asin s), of product 1.
///                                                                          derived from [SANATAN] s3.1
/// Domain: as undecided_sine, with s < 1. Error: that of asin, and of φ⁻¹ near π.
template <OrderedScalar K>
Bracket<K> decided_inputs(const K& gamma, const K& t, const K& pi) {
  using std::asin;
  const K s = undecided_sine(gamma, t);
  if (!(s < K(1))) throw OutsideDomain("no label exceeds the threshold: needs atanh(t) < gamma sqrt(2)");
  const K low = asin(s), high = pi - low;
  return {unsquash(low, low, pi), unsquash(high, high, pi)};
}

/// E|r| = (2/π) ∫_0^{π/2} tanh(γ √2 sin x) dx, enclosed: the integrand is concave, so n trapezoids stay below and n
/// midpoints above it.                                                              derived from [SANATAN] s3.1
/// Domain: γ > 0, n ≥ 1. Error: the bracket is at most γ √2 π / (4 n²) wide; the sums add 2n roundings.
template <OrderedScalar K>
Bracket<K> mean_label_magnitude(const K& gamma, const K& pi, int n) {
  using std::sin, std::sqrt, std::tanh;
  if (!(K(0) < gamma) || n < 1) throw OutsideDomain("mean label magnitude: needs gamma > 0 and n >= 1");
  const K amplitude = gamma * sqrt(K(2)), step = pi / K(2 * n);
  const auto magnitude = [&](const K& x) { return K(tanh(K(amplitude * sin(x)))); };
  K ends = (magnitude(K(0)) + magnitude(K(pi / K(2)))) / K(2), middles(0);
  for (int i = 0; i < n; ++i) {
    if (i > 0) ends = ends + magnitude(K(step * K(i)));
    middles = middles + magnitude(K(step * K(2 * i + 1) / K(2)));
  }
  return {ends / K(n), middles / K(n)};
}

/// The mean of 1 + r r' over pairs of opposite sign: 1 − (E|r|)², as sign and magnitude of a label are independent.
///                                                                          derived from [SANATAN-notes] s4.3
template <class K>
Bracket<K> mean_mismatched_gate(const Bracket<K>& magnitude) {
  return {K(1) - magnitude.high * magnitude.high, K(1) - magnitude.low * magnitude.low};
}

/// The mean of 1 + r r' over all pairs (r, r') of opposite sign; nothing where there is none.     [SANATAN-notes] s4.3
/// The published measurement takes both sides from the queries.
template <OrderedScalar K>
std::optional<K> mean_mismatched_gate(std::span<const K> labels, std::span<const K> others) {
  K sum(0);
  int pairs = 0;
  for (const K& r : labels)
    for (const K& other : others)
      if (r * other < K(0)) {
        sum = sum + (K(1) + r * other);
        ++pairs;
      }
  if (pairs == 0) return std::nullopt;
  return sum / K(pairs);
}

/// P(|r| > t) at ω = π/4 for inputs u ~ N(0, σ²): the normal probability of a < |u| < b.
///                                                                          derived from [SANATAN] s3.1
/// Domain: σ > 0. Error: two values of erf, absolute.
template <OrderedScalar K>
K decided_share_of_normal_inputs(const Bracket<K>& inputs, const K& sigma) {
  using std::erf, std::sqrt;
  const K scale = sigma * sqrt(K(2));
  return erf(inputs.high / scale) - erf(inputs.low / scale);
}

}  // namespace assay::sanatan
