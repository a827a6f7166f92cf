#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "arith/complex.hpp"
#include "oracle/matrix.hpp"
#include "oracle/scalar.hpp"

namespace assay::sfda {

/// R(A) = [[Re A, −Im A], [Im A, Re A]]: A as a real operator on (Re x, Im x).
/// Source: [SFDA] Lemma A.1; [SFDA-notes] s3.6.
template <Scalar R>
Matrix<R> realified(const Matrix<Cx<R>>& a) {
  const std::size_t m = a.rows(), n = a.cols();
  Matrix<R> result(2 * m, 2 * n);
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      result(i, j) = result(m + i, n + j) = a(i, j).re;
      result(i, n + j) = -a(i, j).im;
      result(m + i, j) = a(i, j).im;
    }
  return result;
}

/// (Re A, Im A), one above the other: the first half of the columns of R(A).
template <Scalar R>
Matrix<R> packed(const Matrix<Cx<R>>& a) {
  Matrix<R> result(2 * a.rows(), a.cols());
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t j = 0; j < a.cols(); ++j) {
      result(i, j) = a(i, j).re;
      result(a.rows() + i, j) = a(i, j).im;
    }
  return result;
}

/// J = [[0, −I], [I, 0]] [2d, 2d]: multiplication by i.
/// Source: [SFDA-notes] s3.6.
template <Scalar R>
Matrix<R> imaginary_unit(std::size_t d) {
  Matrix<R> J(2 * d, 2 * d);
  for (std::size_t i = 0; i < d; ++i) {
    J(i, d + i) = R(-1);
    J(d + i, i) = R(1);
  }
  return J;
}

/// (I − β a aᵀ) R(Λ) with a = (Re k, Im k): a real delta rule of rank one with rotations. Another model than
/// R((I − β k k*) Λ), which erases along Ja as well.
/// Source: [SFDA] s1, eq. 2-3; [SFDA-notes] s3.6.
template <Scalar R>
Matrix<R> rank_one_model(const Matrix<R>& a, const R& beta, const Matrix<R>& realified_lambda) {
  return (identity_matrix<R>(a.rows()) - beta * (a * transpose(a))) * realified_lambda;
}

}  // namespace assay::sfda
