#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "oracle/plain_arithmetic.hpp"
#include "oracle/sfda/chunk_factors.hpp"
#include "oracle/sfda/head.hpp"
#include "problem/draw.hpp"

namespace assay::sfda {

/// Σ a b of numbers, each of its real sums apart.
template <class K, class Accumulator>
class Sum {
 public:
  explicit Sum(const Accumulator& empty) : re_(empty), im_(empty), re_of_im_(empty), im_of_re_(empty) {}

  void add(const K& a, const K& b) {
    if constexpr (is_complex_v<K>) {
      re_.add(a.re, b.re);
      im_.add(-a.im, b.im);
      re_of_im_.add(a.re, b.im);
      im_of_re_.add(a.im, b.re);
    } else {
      re_.add(a, b);
    }
  }

  template <class Steps>
  K value(const Steps& steps) {
    if constexpr (is_complex_v<K>)
      return {steps.accumulate(re_.value() + im_.value()), steps.accumulate(re_of_im_.value() + im_of_re_.value())};
    else
      return re_.value();
  }

 private:
  Accumulator re_, im_, re_of_im_, im_of_re_;
};

/// One head of the delta rule as a kernel of the contract computes it: by tokens, or by chunks of C in the form of
/// chunk_factors.hpp. Sums over dimensions run in the order that `draw` gives. Every number that a kernel rounds passes
/// the point of its kind (problem/step_kind.hpp). A tensor core rounds once an instruction, so that the points of a sum
/// are those of an accumulator:
///
///   steps.elementary(function, x, y)   y = function(x)
///   steps.decayed(a, b)                a b, a factor of which is a product of decays
///   steps.product(a, b)                a b
///   steps.accumulate(x), state(x)      a number, or a component of one
///   steps.sum(product)                 an empty accumulator for products of that kind: its operands and its sum
template <class K, class Steps>
class RoundedHead {
 public:
  RoundedHead(const Case& c, const Contract& contract, std::int64_t n, std::int64_t h, Draw& draw, const Steps& steps)
      : case_(c),
        contract_(contract),
        steps_(steps),
        x_(head_of<K>(c, n, h)),
        order_(plain::shuffled(x_.S0.rows(), draw)),
        S_(x_.S0),
        o_(x_.tokens.length(), x_.S0.cols()) {
    set_decays(n, h);
    if (contract.algorithm == Algorithm::chunk)
      for (std::size_t begin = 0; begin < tokens(); begin += chunk())
        take_chunk(begin, std::min(begin + chunk(), tokens()));
    else
      for (std::size_t t = 0; t < tokens(); ++t) take_token(t);
  }

  Run<K> result() { return {std::move(o_), std::move(S_)}; }

 private:
  using R = RealOf<K>;
  using SumOf = Sum<K, decltype(std::declval<const Steps&>().sum(Product::fma))>;

  std::size_t tokens() const { return x_.tokens.length(); }
  std::size_t d() const { return S_.rows(); }
  std::size_t dv() const { return S_.cols(); }
  std::size_t chunk() const { return static_cast<std::size_t>(case_.parameter("C")); }
  const K& lambda(std::size_t t, std::size_t i) const { return x_.tokens.lambda[t].lambda[i]; }
  SumOf sum(Product product) const { return SumOf(steps_.sum(product)); }

  /// A point that takes reals, on every component.
  template <class Point>
  static K each(const K& x, Point point) {
    if constexpr (is_complex_v<K>)
      return {point(x.re), point(x.im)};
    else
      return point(x);
  }
  K accumulate(const K& x) const {
    return each(x, [&](R part) { return steps_.accumulate(part); });
  }
  K state(const K& x) const {
    return each(x, [&](R part) { return steps_.state(part); });
  }

  /// Λ with functions as wrong as the steps say.
  void set_decays(std::int64_t n, std::int64_t h) {
    const std::size_t width = decays_of(case_);
    if (width == 0) return;
    const auto log_alpha = rows_of<float>(case_, "log_alpha", n, h, 0, tokens(), width);
    const auto theta = rows_of<float>(case_, "theta", n, h, 0, tokens(), d());
    for (std::size_t t = 0; t < tokens(); ++t)
      for (std::size_t i = 0; i < d(); ++i) {
        const double log = log_alpha(t, width == 1 ? 0 : i);
        const R alpha = log == 0 ? R(1) : steps_.elementary("exp", log, std::exp(log));
        if constexpr (is_complex_v<K>) {
          const double angle = theta(t, i);
          const K phase(steps_.elementary("cos", angle, std::cos(angle)),
                        steps_.elementary("sin", angle, std::sin(angle)));
          x_.tokens.lambda[t].lambda[i] = steps_.decayed(alpha, phase);
        } else {
          x_.tokens.lambda[t].lambda[i] = alpha;
        }
      }
  }

  void take_token(std::size_t t) {
    const auto k = x_.tokens.k.row(t), q = x_.tokens.q.row(t);
    for (std::size_t j = 0; j < dv(); ++j) {
      SumOf held = sum(Product::fma), read = sum(Product::fma);
      for (const std::size_t i : order_) {
        S_(i, j) = steps_.decayed(lambda(t, i), S_(i, j));
        held.add(conj(S_(i, j)), k[i]);
      }
      const K u = steps_.product(x_.tokens.beta[t], accumulate(x_.tokens.v(t, j) - held.value(steps_)));
      for (const std::size_t i : order_) {
        S_(i, j) = state(S_(i, j) + k[i] * conj(u));
        read.add(conj(S_(i, j)), q[i]);
      }
      o_(t, j) = read.value(steps_);
    }
  }

  /// A row of a chunk's inner products with earlier keys, Σ_i conj(k_si) conj(Γ_ts,i) x_i.
  std::vector<K> scores(std::span<const K> x, std::size_t begin, std::size_t t, bool with_own) const {
    std::vector<K> w(x.begin(), x.end()), row(t + 1 - begin, K(0));
    for (std::size_t s = t + 1; s-- > begin;) {
      if (s < t || with_own) {
        const bool near = (s - begin) / sub_block == (t - begin) / sub_block;
        SumOf score = sum(near ? Product::fma : contract_.product);
        for (const std::size_t i : order_) score.add(conj(x_.tokens.k(s, i)), w[i]);
        row[s - begin] = score.value(steps_);
      }
      for (std::size_t i = 0; i < d(); ++i) w[i] = steps_.decayed(conj(lambda(s, i)), w[i]);
    }
    return row;
  }

  /// Σ_i conj(S_0,ij) Γ_t,i* x_i.
  K read_start(std::span<const K> x, const std::vector<K>& G, std::size_t j) const {
    SumOf read = sum(contract_.product);
    for (const std::size_t i : order_) read.add(conj(S_(i, j)), steps_.decayed(conj(G[i]), x[i]));
    return read.value(steps_);
  }

  void take_chunk(std::size_t begin, std::size_t end) {
    const std::size_t n = end - begin;
    Matrix<K> L(n, n), A(n, n), r(n, dv()), U(n, dv());
    std::vector<K> G(d(), K(1));
    for (std::size_t t = 0; t < n; ++t) {
      const auto k = x_.tokens.k.row(begin + t), q = x_.tokens.q.row(begin + t);
      const R beta = x_.tokens.beta[begin + t];
      const std::vector<K> of_key = scores(k, begin, begin + t, false), of_query = scores(q, begin, begin + t, true);
      for (std::size_t s = 0; s <= t; ++s) {
        L(t, s) = steps_.product(beta, of_key[s]);
        A(t, s) = of_query[s];
      }
      for (std::size_t i = 0; i < d(); ++i) G[i] = steps_.decayed(lambda(begin + t, i), G[i]);
      for (std::size_t j = 0; j < dv(); ++j) {
        r(t, j) = steps_.product(beta, accumulate(x_.tokens.v(begin + t, j) - read_start(k, G, j)));
        o_(begin + t, j) = read_start(q, G, j);
      }
    }
    const Matrix<K> M = inverse_of_unit_lower(L);
    for (std::size_t t = 0; t < n; ++t)
      for (std::size_t j = 0; j < dv(); ++j) U(t, j) = sum_over_tokens(t + 1, M.row(t), r, j);
    for (std::size_t t = 0; t < n; ++t)
      for (std::size_t j = 0; j < dv(); ++j)
        o_(begin + t, j) = accumulate(o_(begin + t, j) + sum_over_tokens(t + 1, A.row(t), U, j));
    update_state(begin, end, G, U);
  }

  /// (I + L)^{-1} by columns.
  Matrix<K> inverse_of_unit_lower(const Matrix<K>& L) const {
    Matrix<K> M = identity_matrix<K>(L.rows());
    for (std::size_t t = 1; t < L.rows(); ++t)
      for (std::size_t j = 0; j < t; ++j) {
        SumOf entry = sum(Product::fma);
        for (std::size_t s = j; s < t; ++s) entry.add(-L(t, s), M(s, j));
        M(t, j) = entry.value(steps_);
      }
    return M;
  }

  K sum_over_tokens(std::size_t count, std::span<const K> row, const Matrix<K>& X, std::size_t j) const {
    SumOf all = sum(contract_.product);
    for (std::size_t s = 0; s < count; ++s) all.add(row[s], X(s, j));
    return all.value(steps_);
  }

  void update_state(std::size_t begin, std::size_t end, const std::vector<K>& G, const Matrix<K>& U) {
    Matrix<K> K_hat(end - begin, d());
    std::vector<K> later(d(), K(1));
    for (std::size_t s = end; s-- > begin;)
      for (std::size_t i = 0; i < d(); ++i) {
        K_hat(s - begin, i) = steps_.decayed(later[i], x_.tokens.k(s, i));
        later[i] = steps_.decayed(later[i], lambda(s, i));
      }
    for (std::size_t i = 0; i < d(); ++i)
      for (std::size_t j = 0; j < dv(); ++j) {
        SumOf written = sum(contract_.product);
        for (std::size_t s = 0; s < K_hat.rows(); ++s) written.add(K_hat(s, i), conj(U(s, j)));
        S_(i, j) = state(steps_.decayed(G[i], S_(i, j)) + written.value(steps_));
      }
  }

  const Case& case_;
  const Contract& contract_;
  const Steps& steps_;
  Head<K> x_;
  std::vector<std::size_t> order_;
  Matrix<K> S_, o_;
};

}  // namespace assay::sfda
