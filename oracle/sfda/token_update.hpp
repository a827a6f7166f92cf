#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "arith/complex.hpp"
#include "oracle/matrix.hpp"
#include "oracle/scalar.hpp"
#include "oracle/sfda/control.hpp"
#include "oracle/steps.hpp"

namespace assay::sfda {

/// The rank-one part u r* of a transition Λ − u r*, both of one column.
/// Source: [SFDA] s4, eq. 34; [SFDA-notes] s2.4. The paper's s3 calls r by the letter w.
template <Scalar K>
struct Correction {
  Matrix<K> u, r;
};

/// u = β k, r = Λ* k: erase and write share k.
/// Source: [SFDA] s4, eq. 34; [SFDA-notes] s2.4.
/// Domain: k [d], β real: for complex β the erased and the written share differ by a phase.
template <Scalar K, Control<K> C>
Correction<K> tied(const C& lambda, std::span<const K> k, const RealOf<K>& beta) {
  require_length(k.size(), lambda.width(), "k");
  return {K(beta) * column(k), lambda.adjoint_times(column(k))};
}

/// A = Λ − u r*, as a matrix.
/// Source: [SFDA] s4, eq. 34; [SFDA-notes] s2.3, s2.4.
template <Scalar K, Control<K> C>
Matrix<K> transition(const C& lambda, const Correction<K>& c) {
  return dense<K>(lambda) - c.u * adjoint(c.r);
}

/// I − β k k*.
template <Scalar K>
Matrix<K> erasure(std::span<const K> k, const RealOf<K>& beta) {
  return identity_matrix<K>(k.size()) - K(beta) * (column(k) * adjoint(column(k)));
}

/// A = (I − β k k*) Λ, as a matrix.
/// Source: [SFDA] eq. 13; [SFDA-notes] overview.
template <Scalar K, Control<K> C>
Matrix<K> transition(const C& lambda, std::span<const K> k, const RealOf<K>& beta) {
  return erasure(k, beta) * dense<K>(lambda);
}

/// B = β k v*.
/// Source: [SFDA] eq. 13; [SFDA-notes] s2.5.
template <Scalar K>
Matrix<K> write(std::span<const K> k, std::span<const K> v, const RealOf<K>& beta) {
  return K(beta) * (column(k) * adjoint(column(v)));
}

/// S_t = (I − β k k*) Λ S_{t−1} + β k v*.
/// Source: [SFDA] eq. 13; [SFDA-notes] overview.
/// Domain: S [d, dv], k [d], v [dv], β real.
template <Scalar K, Control<K> C>
Matrix<K> updated(const Matrix<K>& S, const C& lambda, std::span<const K> k, std::span<const K> v,
                  const RealOf<K>& beta) {
  return transition(lambda, k, beta) * S + write(k, v, beta);
}

/// v̂ = S̄* k [dv]: what the memory holds at address k.
/// Source: [SFDA-notes] s2.1.
template <Scalar K, Steps<K> St = Exact>
std::vector<K> predicted(const Matrix<K>& carried, std::span<const K> k, const St& steps = {}) {
  require_length(k.size(), carried.rows(), "k");
  std::vector<K> prediction;
  for (std::size_t j = 0; j < carried.cols(); ++j) {
    K sum(0);
    for (std::size_t i = 0; i < k.size(); ++i) sum = steps.accumulate(sum + steps.product(conj(carried(i, j)) * k[i]));
    prediction.push_back(steps.dot(sum));
  }
  return prediction;
}

/// The same update in three steps: S̄ = Λ S, v̂ = S̄* k, S_t = S̄ + k (β (v − v̂))*.
/// Source: [SFDA] eq. 13; [SFDA-notes] s2.1.
/// Domain: S [d, dv], k [d], v [dv], β real. Error: of an entry, one inner product of d terms, four roundings, and one
/// of the state.
template <Scalar K, Control<K> C, Steps<K> St = Exact>
Matrix<K> corrected(const Matrix<K>& S, const C& lambda, std::span<const K> k, std::span<const K> v,
                    const RealOf<K>& beta, const St& steps = {}) {
  require_length(v.size(), S.cols(), "v");
  Matrix<K> result = lambda.times(S);
  const std::vector<K> prediction = predicted<K>(result, k, steps);
  for (std::size_t j = 0; j < v.size(); ++j) {
    const K change = steps.product(K(beta) * steps.accumulate(v[j] - prediction[j]));
    for (std::size_t i = 0; i < k.size(); ++i)
      result(i, j) = steps.state(result(i, j) + steps.product(k[i] * conj(change)));
  }
  return result;
}

/// o = S* q [dv].
/// Source: [SFDA-notes] s2.1, table.
template <Scalar K, Steps<K> St = Exact>
std::vector<K> read(const Matrix<K>& S, std::span<const K> q, const St& steps = {}) {
  std::vector<K> output = predicted<K>(S, q, steps);
  for (K& entry : output) entry = steps.output(entry);
  return output;
}

}  // namespace assay::sfda
