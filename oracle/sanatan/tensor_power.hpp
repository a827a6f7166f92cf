#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "oracle/circle_angle.hpp"
#include "oracle/sanatan/attention.hpp"
#include "oracle/scalar.hpp"

namespace assay::sanatan {

/// n over k.
constexpr std::uint64_t binomial(std::uint64_t n, std::uint64_t k) {
  std::uint64_t result = 1;
  for (std::uint64_t i = 1; i <= k; ++i) result = result * (n - k + i) / i;
  return result;
}

/// x^{⊗p} [F^p]: all products of p entries, the last factor varying fastest.
///   ⟨x, y⟩^p = ⟨x^{⊗p}, y^{⊗p}⟩ for integer p ≥ 1
/// Source: [SANATAN-notes] s2.6.
/// Domain: p in 1..4. Error: p − 1 roundings an entry.
template <Scalar K>
std::vector<K> tensor_power(std::span<const K> x, int p) {
  require_power(p);
  std::vector<K> result(x.begin(), x.end());
  for (int factor = 1; factor < p; ++factor) {
    std::vector<K> longer;
    longer.reserve(result.size() * x.size());
    for (const K& head : result)
      for (const K& last : x) longer.push_back(head * last);
    result = std::move(longer);
  }
  return result;
}

/// Weighted features: ⟨x, y⟩ becomes Σ_m weight_m x_m y_m, so that no square root is needed.
template <Scalar K>
struct WeightedFeatures {
  std::vector<K> weight;
  std::vector<K> value;
};

namespace detail {

/// Appends the monomials of degree `left` in x_first, x_{first+1}, … times `prefix`, with multinomial coefficients.
template <Scalar K>
void append_monomials(std::span<const K> x, std::size_t first, int left, const K& prefix, std::uint64_t ways,
                      WeightedFeatures<K>& out) {
  if (left == 0 || first + 1 == x.size()) {
    out.weight.push_back(K(static_cast<std::int64_t>(ways)));
    out.value.push_back(prefix * integer_power(x[first], left));
    return;
  }
  for (int exponent = left; exponent >= 0; --exponent) {
    const auto choices = binomial(static_cast<std::uint64_t>(left), static_cast<std::uint64_t>(exponent));
    const K monomial = prefix * integer_power(x[first], exponent);
    if (exponent == left) {
      out.weight.push_back(K(static_cast<std::int64_t>(ways)));
      out.value.push_back(monomial);
    } else {
      append_monomials(x, first + 1, left - exponent, monomial, ways * choices, out);
    }
  }
}

}  // namespace detail

/// The monomials of degree p [C(F + p − 1, p)] with multinomial weights: the tensor power without its repetitions.
///   ⟨x, y⟩^p = Σ_m weight_m x_m y_m
/// Source: [SANATAN-notes] s2.6.
/// Domain: p in 1..4, x not empty. Error: p roundings an entry; weights are integers.
template <Scalar K>
WeightedFeatures<K> symmetric_power(std::span<const K> x, int p) {
  require_power(p);
  if (x.empty()) throw OutsideDomain("symmetric power of 0 features: needs at least 1");
  WeightedFeatures<K> out;
  detail::append_monomials(x, 0, p, K(1), 1, out);
  return out;
}

/// One dimension's six-channel kernel to the power p in (p + 1)(2p + 1) features, its rank:
///   (1 + ρ)^p = Σ_i C(p, i) ρ^i        (1 + cos Δ)^p = 2^{−p} Σ_{|m| ≤ p} C(2p, p + m) cos mΔ
/// with features r^i cos mθ and r^i sin mθ. Binomial theorem on 1 + cos Δ = |1 + e^{iΔ}|² / 2.
/// Domain: p in 1..4, cos² θ + sin² θ = 1. Error: some 2p roundings an entry.
template <Scalar K>
WeightedFeatures<K> angular_power(const CircleAngle<K>& theta, const K& r, int p) {
  require_power(p);
  const auto degree = static_cast<std::uint64_t>(p);
  WeightedFeatures<K> out;
  for (std::uint64_t i = 0; i <= degree; ++i) {
    const K label = integer_power(r, static_cast<std::int64_t>(i));
    for (std::uint64_t m = 0; m <= degree; ++m) {
      const std::uint64_t pairs = binomial(degree, i) * binomial(2 * degree, degree + m) * (m == 0 ? 1 : 2);
      const K weight = K(static_cast<std::int64_t>(pairs)) / K(1 << p);
      const CircleAngle<K> harmonic = multiple(static_cast<std::int64_t>(m), theta);
      out.weight.push_back(weight);
      out.value.push_back(label * harmonic.cosine);
      if (m == 0) continue;
      out.weight.push_back(weight);
      out.value.push_back(label * harmonic.sine);
    }
  }
  return out;
}

}  // namespace assay::sanatan
