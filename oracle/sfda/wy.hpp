#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>

#include "oracle/matrix.hpp"
#include "oracle/scalar.hpp"
#include "oracle/sfda/control.hpp"
#include "oracle/sfda/token_update.hpp"

namespace assay::sfda {

/// Γ, Y [d, t], W [d, t] and M [t, t], unit lower triangular, with P_t = A_t … A_1 = Γ_t − Y_t M_t W_t*.
/// Source: [SFDA] Thm 4.2, eq. 34-39; [SFDA-notes] s2.4.
template <Scalar K, Control<K> C>
struct WyFactors {
  C gamma;
  Matrix<K> Y, W, M;
};

namespace detail {

/// [A, x].
template <Scalar K>
Matrix<K> with_column(const Matrix<K>& a, const Matrix<K>& x) {
  require_shape(x, a.rows(), 1, "a new column");
  Matrix<K> result(a.rows(), a.cols() + 1);
  for (std::size_t i = 0; i < a.rows(); ++i) {
    std::ranges::copy(a.row(i), result.row(i).begin());
    result(i, a.cols()) = x(i, 0);
  }
  return result;
}

/// x M of a row x and a lower triangular M.
template <Scalar K>
Matrix<K> times_lower(const Matrix<K>& x, const Matrix<K>& M) {
  require_shape(x, 1, M.rows(), "x");
  Matrix<K> result(1, M.cols());
  for (std::size_t j = 0; j < M.cols(); ++j)
    for (std::size_t i = j; i < M.rows(); ++i) result(0, j) = result(0, j) + x(0, i) * M(i, j);
  return result;
}

/// [[M, 0], [row, 1]].
template <Scalar K>
Matrix<K> bordered(const Matrix<K>& M, const Matrix<K>& row) {
  Matrix<K> result(M.rows() + 1, M.cols() + 1);
  for (std::size_t i = 0; i < M.rows(); ++i) std::ranges::copy(M.row(i), result.row(i).begin());
  std::ranges::copy(row.row(0), result.row(M.rows()).begin());
  result(M.rows(), M.cols()) = K(1);
  return result;
}

}  // namespace detail

/// Γ_0 = I; Y_0, W_0, M_0 without columns: P_0 = I.
template <Scalar K, Control<K> C>
WyFactors<K, C> empty_factors(std::size_t d) {
  return {C::identity(d), Matrix<K>(d, 0), Matrix<K>(d, 0), Matrix<K>(0, 0)};
}

/// Γ_t = Λ_t Γ_{t−1}, Y_t = [Λ_t Y_{t−1}, u_t], W_t = [W_{t−1}, Γ_{t−1}* r_t],
/// M_t = [[M_{t−1}, 0], [−r_t* Y_{t−1} M_{t−1}, 1]].
/// Source: [SFDA] Thm 4.2, eq. 34-39; [SFDA-notes] s2.4.
/// Domain: any Λ, u, r of one width: Λ need not have an inverse, u and r need not be tied. Only products, so exact over
/// any ring; over the reals no bound follows from ‖A_t‖ ≤ 1, as M may be large.
template <Scalar K, Control<K> C>
WyFactors<K, C> extended(const WyFactors<K, C>& f, const C& lambda, const Correction<K>& c) {
  const Matrix<K> row = detail::times_lower(adjoint(c.r) * f.Y, f.M);
  return {lambda * f.gamma, detail::with_column(lambda.times(f.Y), c.u),
          detail::with_column(f.W, f.gamma.adjoint_times(c.r)), detail::bordered(f.M, Matrix<K>(1, row.cols()) - row)};
}

/// P = Γ − Y M W*, as a matrix.
/// Source: [SFDA] Thm 4.2; [SFDA-notes] s2.4.
template <Scalar K, Control<K> C>
Matrix<K> transfer(const WyFactors<K, C>& f) {
  return dense<K>(f.gamma) - f.Y * f.M * adjoint(f.W);
}

/// Factors of P_2 P_1 from those of P_2 and P_1: Γ = Γ_2 Γ_1, Y = [Γ_2 Y_1, Y_2], W = [W_1, Γ_1* W_2],
/// M = [[M_1, 0], [−M_2 W_2* Y_1 M_1, M_2]]. The columns add up.
/// Source: own, for the superchunks of [SFDA] s6; [SFDA-notes] s3.1.
template <Scalar K, Control<K> C>
WyFactors<K, C> merged(const WyFactors<K, C>& second, const WyFactors<K, C>& first) {
  const std::size_t n1 = first.M.rows(), n2 = second.M.rows();
  const auto side_by_side = [](const Matrix<K>& a, const Matrix<K>& b) {
    Matrix<K> result(a.rows(), a.cols() + b.cols());
    for (std::size_t i = 0; i < a.rows(); ++i)
      std::ranges::copy(b.row(i), std::ranges::copy(a.row(i), result.row(i).begin()).out);
    return result;
  };
  const Matrix<K> cross = second.M * (adjoint(second.W) * first.Y) * first.M;
  Matrix<K> M(n1 + n2, n1 + n2);
  for (std::size_t i = 0; i < n1; ++i) std::ranges::copy(first.M.row(i), M.row(i).begin());
  for (std::size_t i = 0; i < n2; ++i) {
    for (std::size_t j = 0; j < n1; ++j) M(n1 + i, j) = -cross(i, j);
    for (std::size_t j = 0; j < n2; ++j) M(n1 + i, n1 + j) = second.M(i, j);
  }
  return {second.gamma * first.gamma, side_by_side(second.gamma.times(first.Y), second.Y),
          side_by_side(first.W, first.gamma.adjoint_times(second.W)), std::move(M)};
}

}  // namespace assay::sfda
