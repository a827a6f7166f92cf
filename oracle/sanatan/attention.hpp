#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "arith/integer_power.hpp"
#include "oracle/matrix.hpp"
#include "oracle/scalar.hpp"
#include "oracle/steps.hpp"

namespace assay::sanatan {

/// How scores become weights: power p, score scale c, and the ε of the denominator in units of (s/c)^p.
/// The paper's eq. 8 has c = 4d, its parallel code c = 4d + 10⁻⁶.
template <Scalar K>
struct WeightRule {
  int power = 1;
  K scale{1};
  K epsilon{0};
};

/// Throws unless p is 1, 2, 3 or 4: p = 0 would need 0⁰.
inline void require_power(int p) {
  if (p < 1 || p > 4) throw OutsideDomain("power = " + std::to_string(p) + ": needs 1, 2, 3 or 4");
}

/// The same ε where scores are not divided by c: c^p ε.
/// Source: [SANATAN-notes] s2.7.
/// Differs from [SANATAN]: eq. 8 and eq. 9 call both constants ε.
template <Scalar K>
K raw_epsilon(const WeightRule<K>& rule) {
  require_power(rule.power);
  return integer_power(rule.scale, rule.power) * rule.epsilon;
}

/// N [T, dv] and D [T], before the division: near D = 0 they are judged, not their quotient.
template <Scalar K>
struct Readout {
  Matrix<K> numerator;
  std::vector<K> denominator;
};

/// o_t = N_t / (D_t + ε).
/// Source: [SANATAN] s3.4-3.5 eq. 8-9.
/// D = 0 with ε > 0 (empty history, all scores zero) gives N / ε = 0.
/// Domain: D_t + ε ≠ 0. Error: one division, at the condition of D_t + ε.
template <Scalar K, Steps<K> S = Exact>
Matrix<K> normalised(const Readout<K>& sums, const K& epsilon, const S& steps = {}) {
  Matrix<K> o(sums.numerator.rows(), sums.numerator.cols());
  for (std::size_t t = 0; t < o.rows(); ++t) {
    const K denominator = steps.accumulate(sums.denominator[t] + epsilon);
    if (has_no_inverse(denominator)) throw ZeroDenominator("row " + std::to_string(t) + ": normaliser + epsilon = 0");
    for (std::size_t i = 0; i < o.cols(); ++i) o(t, i) = steps.output(sums.numerator(t, i) / denominator);
  }
  return o;
}

/// w_tj = (s_tj / c)^p for j ≤ t, else 0.
/// Source: [SANATAN] s3.4-3.5 eq. 8, [SANATAN-notes] s2.6.
/// Domain: p in 1..4, c ≠ 0. Error: one rounding before and one after the power, so p + 1 relative.
template <Scalar K, Steps<K> S = Exact>
Matrix<K> causal_weights(const Matrix<K>& scores, const WeightRule<K>& rule, const S& steps = {}) {
  require_power(rule.power);
  if (has_no_inverse(rule.scale)) throw ZeroDenominator("scale c = 0: needs c != 0");
  Matrix<K> w(scores.rows(), scores.cols());
  for (std::size_t t = 0; t < w.rows(); ++t)
    for (std::size_t j = 0; j <= t && j < w.cols(); ++j)
      w(t, j) = steps.weights(integer_power(K(steps.product(scores(t, j) / rule.scale)), rule.power));
  return w;
}

/// N_t = Σ_{j ≤ t} w_tj v_j, D_t = Σ_{j ≤ t} w_tj.
/// Source: [SANATAN] s3.4-3.5 eq. 8, [SANATAN-notes] s2.6.
/// Domain: w [T, T], v [T, dv]. Error: that of the two sums.
template <Scalar K, Steps<K> S = Exact>
Readout<K> weighted_sums(const Matrix<K>& w, const Matrix<K>& v, const S& steps = {}) {
  require_shape(v, w.cols(), v.cols(), "v");
  Readout<K> sums{Matrix<K>(w.rows(), v.cols()), std::vector<K>(w.rows(), K(0))};
  for (std::size_t t = 0; t < w.rows(); ++t) {
    for (std::size_t j = 0; j <= t && j < w.cols(); ++j) {
      sums.denominator[t] = steps.accumulate(sums.denominator[t] + w(t, j));
      for (std::size_t i = 0; i < v.cols(); ++i)
        sums.numerator(t, i) = steps.accumulate(sums.numerator(t, i) + steps.product(w(t, j) * v(j, i)));
    }
  }
  return sums;
}

/// o_t = Σ_{j ≤ t} (s_tj / c)^p v_j / (Σ_{j ≤ t} (s_tj / c)^p + ε), the parallel causal form.
/// Source: [SANATAN] s3.4-3.5 eq. 8, [SANATAN-notes] s2.6.
/// Domain: scores [T, T], already clipped where the model clips; p in 1..4; no denominator 0. Error: that of its parts.
template <Scalar K, Steps<K> S = Exact>
Matrix<K> attention(const Matrix<K>& scores, const Matrix<K>& v, const WeightRule<K>& rule, const S& steps = {}) {
  return normalised(weighted_sums(causal_weights(scores, rule, steps), v, steps), rule.epsilon, steps);
}

}  // namespace assay::sanatan
