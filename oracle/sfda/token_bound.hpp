#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "oracle/sfda/delta_units.hpp"
#include "oracle/sfda/error_sites.hpp"
#include "oracle/sfda/recurrence.hpp"

namespace assay::sfda {

template <class K>
double norm(std::span<const K> x) {
  double square = 0;
  for (const K& entry : x) square += size_of(entry) * size_of(entry);
  return std::sqrt(square);
}

/// ‖A‖₂ of (I - β k k*) Λ is at most ‖I - β k k*‖₂ max |λ|.
template <class K>
double erasure_norm(std::span<const K> k, double beta) {
  const double length = norm(k);
  return std::max(1.0, std::abs(1 - beta * length * length));
}
template <class K>
double largest_decay(const Diagonal<K>& control) {
  double largest = 0;
  for (const K& lambda : control.lambda) largest = std::max(largest, size_of(lambda));
  return largest;
}

/// What row i of a state inherits and takes on, or an output.
template <class K>
struct TokenRow {
  double before;  ///< 2-norm of its coefficients of the state before the token
  RowError error;
};

/// One token of `scan` and `decode`: bounds.md D2. With a column s of the state and y the conjugate of the kernel's u,
///
///     s̄ = Λ s,   y_j = β (conj(v_j) - k* s̄_j),   s' = s̄ + k y,   conj(o) = q* s'
template <class K>
class TokenBound {
 public:
  /// `likely` [dv] bounds the error of the columns of S, the state before token t.
  TokenBound(const Tokens<K>& x, std::size_t t, const Matrix<K>& S, std::span<const double> likely,
             const DeltaUnits<K>& units)
      : k_(x.k.row(t)),
        q_(x.q.row(t)),
        beta_(x.beta[t]),
        lambda_(x.lambda[t]),
        units_(units),
        carried_(S.rows(), S.cols()),
        written_(S.rows(), S.cols()),
        change_(1, S.cols()),
        read_(1, S.cols()),
        after_(S.rows(), S.cols()),
        o_(S.cols()) {
    const std::size_t d = S.rows(), dv = S.cols();
    const double tiny = units.tiny, u = units.u, product = DeltaUnits<K>::product;
    Matrix<K> bar = lambda_.times(S);
    std::vector<K> y(dv);
    std::vector<double> read_sizes(dv), own_sizes(dv), change(dv);
    for (std::size_t j = 0; j < dv; ++j) {
      K held(0);
      for (std::size_t i = 0; i < d; ++i) {
        held = held + conj(k_[i]) * bar(i, j);
        own_sizes[j] += size_of(k_[i]) * (size_of(bar(i, j)) + likely[j]) + tiny;
      }
      y[j] = K(beta_) * (conj(x.v(t, j)) - held);
      const double beta = std::abs(beta_), size = size_of(y[j]) + beta * norm(k_) * likely[j] + tiny;
      change[j] = size;
      change_.add_correlated(0, j, beta * units.worst(units.read) * own_sizes[j],
                             beta * units.root(units.read) * own_sizes[j]);
      change_.add(0, j, 2 * u * size);
    }
    for (std::size_t i = 0; i < d; ++i) {
      const K lambda = lambda_.lambda[i];
      const bool rounds = !(lambda == K(0) || lambda == K(1));
      for (std::size_t j = 0; j < dv; ++j) {
        const double size = size_of(lambda) * (size_of(S(i, j)) + likely[j]) + tiny;
        if (rounds) carried_.add(i, j, product * u * size, units.lambda * size);
        after_(i, j) = bar(i, j) + k_[i] * y[j];
        const double terms = size + size_of(k_[i]) * change[j] + tiny;
        written_.add(i, j, product * u * (product == 1 ? size_of(after_(i, j)) + likely[j] + tiny : terms));
        if (units.update > 0) written_.add(i, j, units.worst(units.update) * (size_of(k_[i]) * change[j] + tiny));
        o_[j] = o_[j] + conj(q_[i]) * after_(i, j);
        read_sizes[j] += size_of(q_[i]) * (size_of(after_(i, j)) + likely[j]) + tiny;
      }
    }
    for (std::size_t j = 0; j < dv; ++j)
      read_.add_correlated(0, j, units.worst(units.read) * read_sizes[j], units.root(units.read) * read_sizes[j]);
  }

  /// conj(o) and the state after the token.
  const std::vector<K>& output_value() const { return o_; }
  Matrix<K> take_state() { return std::move(after_); }

  TokenRow<K> output() const {
    TokenRow<K> row = carry(q_);
    read_.add_to(row.error, 0, 1);
    return row;
  }

  /// g* s of the columns s of the state after the token.
  TokenRow<K> carry(std::span<const K> g) const {
    K along(0);  // g* k
    for (std::size_t i = 0; i < g.size(); ++i) along = along + conj(g[i]) * k_[i];
    TokenRow<K> row{0, RowError(change_.worst.cols())};
    double before = 0;
    for (std::size_t i = 0; i < g.size(); ++i) {
      const double erased = size_of(g[i] - K(beta_) * conj(along) * k_[i]);
      carried_.add_to(row.error, i, erased);
      if (!(g[i] == K(0))) written_.add_to(row.error, i, size_of(g[i]));
      before += std::pow(erased * size_of(lambda_.lambda[i]), 2);
    }
    change_.add_to(row.error, 0, size_of(along));
    row.before = std::sqrt(before);
    return row;
  }

  /// 2-norms of what the token adds to the columns' errors.
  RowError column_error() const {
    const std::size_t dv = change_.worst.cols();
    RowError total(dv);
    const double erasure = erasure_norm(k_, beta_), length = norm(k_);
    for (std::size_t j = 0; j < dv; ++j) {
      double carried = 0, one_sided = 0, written = 0;
      for (std::size_t i = 0; i < k_.size(); ++i) {
        carried += std::pow(carried_.worst(i, j), 2);
        one_sided += std::pow(carried_.one_sided(i, j), 2);
        written += std::pow(written_.worst(i, j), 2);
        total.square[j] += erasure * erasure * carried_.square(i, j) + written_.square(i, j);
      }
      total.worst[j] = erasure * std::sqrt(carried) + std::sqrt(written) + length * change_.worst(0, j);
      total.one_sided[j] = erasure * std::sqrt(one_sided);
      total.square[j] += length * length * change_.square(0, j);
    }
    return total;
  }

 private:
  std::span<const K> k_, q_;
  double beta_;
  Diagonal<K> lambda_;
  DeltaUnits<K> units_;
  ErrorSites carried_;  ///< group i: what enters row i of s̄
  ErrorSites written_;  ///< group i: what enters row i of s', y given
  ErrorSites change_;   ///< what enters y
  ErrorSites read_;     ///< what enters o, s' given
  Matrix<K> after_;
  std::vector<K> o_;
};

}  // namespace assay::sfda
