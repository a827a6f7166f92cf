#pragma once

#include <concepts>
#include <cstddef>
#include <utility>
#include <vector>

#include "oracle/matrix.hpp"
#include "oracle/scalar.hpp"

namespace assay::sfda {

/// What the chunk form asks of Λ [d, d]: products Λ S and Λ* S, and a product of its own kind. No inverse.
/// Source: [SFDA] def. 5.1-5.2; [SFDA-notes] s2.3.
template <class C, class K>
concept Control = Scalar<K> && std::copyable<C> && requires(const C& a, const C& b, const Matrix<K>& S, std::size_t d) {
  { a.width() } -> std::same_as<std::size_t>;
  { a.times(S) } -> std::same_as<Matrix<K>>;
  { a.adjoint_times(S) } -> std::same_as<Matrix<K>>;
  { a* b } -> std::same_as<C>;
  { C::identity(d) } -> std::same_as<C>;
};

/// diag(λ): the default family, λ = α e^{iθ}.
/// Source: [SFDA] eq. 13; [SFDA-notes] s2.3.
template <Scalar K>
struct Diagonal {
  std::vector<K> lambda;

  std::size_t width() const { return lambda.size(); }

  Matrix<K> times(const Matrix<K>& S) const {
    return scaled(S, [](const K& entry) { return entry; });
  }
  Matrix<K> adjoint_times(const Matrix<K>& S) const {
    return scaled(S, [](const K& entry) { return conj(entry); });
  }

  friend Diagonal operator*(const Diagonal& a, const Diagonal& b) {
    require_length(b.width(), a.width(), "right factor");
    Diagonal result = a;
    for (std::size_t i = 0; i < a.width(); ++i) result.lambda[i] = a.lambda[i] * b.lambda[i];
    return result;
  }
  static Diagonal identity(std::size_t d) { return {std::vector<K>(d, K(1))}; }

 private:
  template <class Entry>
  Matrix<K> scaled(Matrix<K> S, Entry entry) const {
    require_length(S.rows(), width(), "a column");
    for (std::size_t i = 0; i < S.rows(); ++i)
      for (K& x : S.row(i)) x = entry(lambda[i]) * x;
    return S;
  }
};

/// Any matrix: the template without structure.
/// Source: [SFDA] Thm 4.7; [SFDA-notes] s2.3.
template <Scalar K>
struct Dense {
  Matrix<K> matrix;

  std::size_t width() const { return matrix.rows(); }
  Matrix<K> times(const Matrix<K>& S) const { return matrix * S; }
  Matrix<K> adjoint_times(const Matrix<K>& S) const { return adjoint(matrix) * S; }
  friend Dense operator*(const Dense& a, const Dense& b) { return {a.matrix * b.matrix}; }
  static Dense identity(std::size_t d) { return {identity_matrix<K>(d)}; }
};

/// Λ as a matrix.
template <Scalar K, Control<K> C>
Matrix<K> dense(const C& control) {
  return control.times(identity_matrix<K>(control.width()));
}

}  // namespace assay::sfda
