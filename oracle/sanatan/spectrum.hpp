#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "arith/rational.hpp"
#include "oracle/circle_angle.hpp"
#include "oracle/outside_domain.hpp"
#include "oracle/sanatan/tensor_power.hpp"
#include "oracle/scalar.hpp"
#include "oracle/steps.hpp"

namespace assay::sanatan {

/// T_n(cos Δ) = cos nΔ, by T_n = 2 x T_{n−1} − T_{n−2}.                                          [SANATAN] App. B
/// Domain: every x, n ≥ 0. Error: over a rounding K it grows with n^2; meant for exact arithmetic.
template <Scalar K>
K chebyshev(std::uint64_t n, const K& x) {
  K before(1), value = x;
  if (n == 0) return before;
  for (std::uint64_t i = 1; i < n; ++i) {
    const K next = K(2) * x * value - before;
    before = value;
    value = next;
  }
  return value;
}

/// cos Δ, cos 2Δ, …, cos NΔ.                                                                     [SANATAN] App. B
/// Domain and error: as chebyshev.
template <Scalar K>
std::vector<K> harmonics(std::size_t count, const K& cos_delta) {
  std::vector<K> result;
  for (std::size_t n = 1; n <= count; ++n) result.push_back(chebyshev<K>(n, cos_delta));
  return result;
}

/// (1 + ρ)(1 + Σ_{n = 1..N} w_n c_n), c_n = cos nΔ: one dimension with N harmonics.
///                                                                             [SANATAN] App. B, [SANATAN-notes] s5
/// The paper's kernel is N = 1, w_1 = 1. Non-negative where Σ |w_n| ≤ 1 and |ρ|, |c_n| ≤ 1.
/// Domain: as many c as w. Error: that of a sum of N + 1 terms.
template <Scalar K>
K harmonic_score(const K& rho, std::span<const K> c, std::span<const K> w) {
  return (K(1) + rho) * (K(1) + dot(c, w));
}

/// [1, r] ⊗ [1, cos θ, sin θ, …, cos Nθ, sin Nθ] with weights 1 and w_n: their weighted product is harmonic_score.
///                                                                             [SANATAN] App. B, [SANATAN-notes] s5
/// Domain: cos² θ + sin² θ = 1. Error: n rotations for the n-th harmonic.
template <Scalar K>
WeightedFeatures<K> harmonic_features(const CircleAngle<K>& theta, const K& r, std::span<const K> w) {
  WeightedFeatures<K> out;
  for (const K& label : {K(1), r}) {
    out.weight.push_back(K(1));
    out.value.push_back(label);
    for (std::size_t n = 1; n <= w.size(); ++n) {
      const CircleAngle<K> harmonic = multiple(static_cast<std::int64_t>(n), theta);
      for (const K& part : {harmonic.cosine, harmonic.sine}) {
        out.weight.push_back(w[n - 1]);
        out.value.push_back(label * part);
      }
    }
  }
  return out;
}

/// 2 (1 + 2 N) features a dimension.                                             [SANATAN] App. B, [SANATAN-notes] s5
constexpr std::uint64_t harmonic_feature_count(std::uint64_t harmonics) { return 2 * (1 + 2 * harmonics); }

/// (1/K) Σ_f cos fΔ over K frequencies.                                          [SANATAN] App. B, [SANATAN-notes] s5
/// Domain: at least one frequency. Error: as chebyshev.
template <Scalar K>
K mean_cosine(std::span<const std::uint64_t> frequencies, const K& cos_delta) {
  if (frequencies.empty()) throw OutsideDomain("mean of 0 cosines: needs at least 1 frequency");
  K sum(0);
  for (const std::uint64_t f : frequencies) sum = sum + chebyshev(f, cos_delta);
  return sum / K(static_cast<std::int64_t>(frequencies.size()));
}

/// (1/2π) ∫ (Σ_f a_f cos fΔ)(Σ_f b_f cos fΔ) dΔ over the circle: Σ_{f > 0} a_f b_f / 2 + a_0 b_0, the coefficient of
/// z^0 in the product of the two Laurent polynomials with cos fΔ = (z^f + z^{−f}) / 2.
/// Domain: coefficients by frequency 0, 1, 2, …. Error: none over an exact K.
template <Scalar K>
K mean_product(std::span<const K> a, std::span<const K> b) {
  const auto laurent = [](std::span<const K> c, std::int64_t power) {
    const std::size_t f = static_cast<std::size_t>(power < 0 ? -power : power);
    if (f >= c.size()) return K(0);
    return f == 0 ? c[0] : c[f] / K(2);
  };
  const auto last = static_cast<std::int64_t>(a.size()) - 1;
  K constant(0);
  for (std::int64_t power = -last; power <= last; ++power) constant = constant + laurent(a, power) * laurent(b, -power);
  return constant;
}

}  // namespace assay::sanatan
