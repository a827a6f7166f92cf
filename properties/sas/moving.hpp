#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "arith/dual.hpp"
#include "oracle/logarithm.hpp"
#include "oracle/matrix.hpp"
#include "oracle/steps.hpp"
#include "properties/source.hpp"

/// Numbers of one trial that move, for comparison with dual numbers.
namespace assay::sas {

/// x moving along `tangent`, entry by entry.
template <class K>
std::vector<Dual<K>> moving(std::span<const K> x, std::span<const K> tangent) {
  std::vector<Dual<K>> result;
  for (std::size_t i = 0; i < x.size(); ++i) result.emplace_back(x[i], tangent[i]);
  return result;
}
template <class K>
Matrix<Dual<K>> moving(const Matrix<K>& x, const Matrix<K>& tangent) {
  Matrix<Dual<K>> result(x.rows(), x.cols());
  for (std::size_t i = 0; i < x.rows(); ++i)
    for (std::size_t j = 0; j < x.cols(); ++j) result(i, j) = Dual<K>(x(i, j), tangent(i, j));
  return result;
}

/// Scores known by their powers, at rest and moving along `tangent`: (e^s)' = e^s s'.
template <class K>
std::vector<Logarithm<K>> resting_scores(std::span<const K> powers) {
  std::vector<Logarithm<K>> result;
  for (const K& power : powers) result.push_back({power});
  return result;
}
template <class K>
std::vector<Logarithm<Dual<K>>> moving_scores(std::span<const K> powers, std::span<const K> tangent) {
  std::vector<Logarithm<Dual<K>>> result;
  for (std::size_t m = 0; m < powers.size(); ++m)
    result.push_back({chain(Dual<K>(K(0), tangent[m]), powers[m], powers[m])});
  return result;
}

/// Σ x_i.
template <class K>
K sum_of(std::span<const K> x) {
  K sum(0);
  for (const K& entry : x) sum = sum + entry;
  return sum;
}
/// Σ x_ij y_ij.
template <class K>
K paired(const Matrix<K>& x, const Matrix<K>& y) {
  K sum(0);
  for (std::size_t i = 0; i < x.rows(); ++i) sum = sum + dot<K>(x.row(i), y.row(i));
  return sum;
}
/// Σ adjoint_j ẋ_j.
template <class K>
K paired_with_tangent(std::span<const K> adjoint, std::span<const Dual<K>> x) {
  K sum(0);
  for (std::size_t j = 0; j < x.size(); ++j) sum = sum + adjoint[j] * x[j].tangent;
  return sum;
}

}  // namespace assay::sas
