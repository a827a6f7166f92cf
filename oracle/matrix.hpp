#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "arith/complex.hpp"
#include "oracle/outside_domain.hpp"
#include "oracle/scalar.hpp"

namespace assay {

/// A row-major table of numbers. Formulas loop over it; it has no operators but those a statement about matrices needs.
template <class K>
class Matrix {
 public:
  Matrix() = default;
  Matrix(std::size_t rows, std::size_t cols, const K& fill = K(0))
      : rows_(rows), cols_(cols), entries_(rows * cols, fill) {}

  std::size_t rows() const { return rows_; }
  std::size_t cols() const { return cols_; }
  K& operator()(std::size_t i, std::size_t j) { return entries_[i * cols_ + j]; }
  const K& operator()(std::size_t i, std::size_t j) const { return entries_[i * cols_ + j]; }
  std::span<K> row(std::size_t i) { return std::span<K>(entries_).subspan(i * cols_, cols_); }
  std::span<const K> row(std::size_t i) const { return std::span<const K>(entries_).subspan(i * cols_, cols_); }

  friend bool operator==(const Matrix&, const Matrix&) = default;

 private:
  std::size_t rows_ = 0;
  std::size_t cols_ = 0;
  std::vector<K> entries_;
};

/// Throws unless `m` is rows x cols.
template <class K>
void require_shape(const Matrix<K>& m, std::size_t rows, std::size_t cols, const char* name) {
  if (m.rows() == rows && m.cols() == cols) return;
  throw OutsideDomain(std::string(name) + " is " + std::to_string(m.rows()) + " x " + std::to_string(m.cols()) +
                      ": needs " + std::to_string(rows) + " x " + std::to_string(cols));
}

/// Throws unless there are `count` values.
inline void require_length(std::size_t length, std::size_t count, const char* name) {
  if (length == count) return;
  throw OutsideDomain(std::string(name) + " has " + std::to_string(length) + " entries: needs " +
                      std::to_string(count));
}

template <Scalar K>
Matrix<K> identity_matrix(std::size_t n) {
  Matrix<K> result(n, n);
  for (std::size_t i = 0; i < n; ++i) result(i, i) = K(1);
  return result;
}

template <Scalar K>
Matrix<K> operator+(const Matrix<K>& a, const Matrix<K>& b) {
  require_shape(b, a.rows(), a.cols(), "right summand");
  Matrix<K> result = a;
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t j = 0; j < a.cols(); ++j) result(i, j) = result(i, j) + b(i, j);
  return result;
}

template <Scalar K>
Matrix<K> operator-(const Matrix<K>& a, const Matrix<K>& b) {
  require_shape(b, a.rows(), a.cols(), "subtrahend");
  Matrix<K> result = a;
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t j = 0; j < a.cols(); ++j) result(i, j) = result(i, j) - b(i, j);
  return result;
}

template <Scalar K>
Matrix<K> operator*(const K& factor, const Matrix<K>& a) {
  Matrix<K> result = a;
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (K& entry : result.row(i)) entry = factor * entry;
  return result;
}

template <Scalar K>
Matrix<K> operator*(const Matrix<K>& a, const Matrix<K>& b) {
  require_shape(b, a.cols(), b.cols(), "right factor");
  Matrix<K> result(a.rows(), b.cols());
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t k = 0; k < a.cols(); ++k)
      for (std::size_t j = 0; j < b.cols(); ++j) result(i, j) = result(i, j) + a(i, k) * b(k, j);
  return result;
}

template <class K>
Matrix<K> transpose(const Matrix<K>& a) {
  Matrix<K> result(a.cols(), a.rows());
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t j = 0; j < a.cols(); ++j) result(j, i) = a(i, j);
  return result;
}

/// A*, the conjugate transpose; the transpose over the reals.
template <Scalar K>
Matrix<K> adjoint(const Matrix<K>& a) {
  Matrix<K> result(a.cols(), a.rows());
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t j = 0; j < a.cols(); ++j) result(j, i) = conj(a(i, j));
  return result;
}

/// x as a matrix of one column.
template <class K>
Matrix<K> column(std::span<const K> x) {
  Matrix<K> result(x.size(), 1);
  for (std::size_t i = 0; i < x.size(); ++i) result(i, 0) = x[i];
  return result;
}

}  // namespace assay
