#pragma once

#include <cstddef>
#include <vector>

#include "oracle/sfda/decay_phase.hpp"
#include "properties/sfda/inputs.hpp"

/// Controls and strengths inside the hypotheses of stability; free over a field, where there is no order.
namespace assay::sfda {

/// Σ |x_ij|².
template <class K>
RealOf<K> square(const Matrix<K>& x) {
  RealOf<K> sum(0);
  for (std::size_t i = 0; i < x.rows(); ++i)
    for (const K& entry : x.row(i)) sum = sum + abs2(entry);
  return sum;
}

/// In [−1, 1] where there is an order, the ends included at listed points; free over a field.
template <class K>
RealOf<K> bounded_real(Source<K>& from) {
  const RealOf<K> u = from.real();
  if constexpr (OrderedScalar<RealOf<K>>) {
    const RealOf<K> size = u < RealOf<K>(0) ? RealOf<K>(-u) : u;
    return size == RealOf<K>(1) ? u : RealOf<K>(u / (RealOf<K>(1) + size));
  } else {
    return u;
  }
}

/// Λ with |λ| ≤ 1 over the rationals.
template <class K>
Diagonal<K> bounded_control(Source<K>& from, std::size_t d) {
  using R = RealOf<K>;
  std::vector<R> alpha;
  for (std::size_t i = 0; i < d; ++i) alpha.push_back(bounded_real(from));
  return decay_and_phase<CircleAngle<R>, R>(alpha, from.angles(d));
}

/// k* k.
template <class K>
RealOf<K> norm_of(const std::vector<K>& k) {
  return square(column<K>(k));
}

/// β with β k*k in [0, 2] over the rationals; free where k = 0 or there is no order.
template <class K>
RealOf<K> bounded_strength(Source<K>& from, const std::vector<K>& k) {
  const RealOf<K> norm = norm_of(k);
  if (norm == RealOf<K>(0)) return from.real();
  return (RealOf<K>(1) + bounded_real(from)) / norm;
}

/// Σ (1 − |λ_i|²) |x_ij|²: what the control takes from the squared norm.
template <class K>
RealOf<K> taken(const Diagonal<K>& lambda, const Matrix<K>& x) {
  RealOf<K> sum(0);
  for (std::size_t i = 0; i < x.rows(); ++i)
    for (const K& entry : x.row(i)) sum = sum + (RealOf<K>(1) - abs2(lambda.lambda[i])) * abs2(entry);
  return sum;
}

}  // namespace assay::sfda
