#include "oracle/sfda/exactness.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "arith/inexact_flag.hpp"
#include "oracle/operand_fit.hpp"
#include "oracle/sfda/head.hpp"

namespace assay::sfda {
namespace {

using Number = FlaggedNumber;

/// Calls use(x) for each component.
template <class Use>
void for_each_component(const Number& x, Use use) {
  use(x);
}
template <class Use>
void for_each_component(const Cx<Number>& x, Use use) {
  use(x.re);
  use(x.im);
}

template <class F>
Number each_component(const Number& x, F f) {
  return f(x);
}
template <class F>
Cx<Number> each_component(const Cx<Number>& x, F f) {
  return {f(x.re), f(x.im)};
}

/// What one head needs of its contract; K is a flagged number, or a complex one.
template <class K>
class HeadDemands {
 public:
  HeadDemands(const Case& c, const Contract& contract, int bits_less, std::int64_t n, std::int64_t h)
      : HeadDemands(c, contract, bits_less, head_of<K>(c, n, h)) {}

  HeadDemands(const Case& c, const Contract& contract, int bits_less, Head<K> head)
      : contract_(contract), bits_less_(bits_less), x_(std::move(head.tokens)), S_(std::move(head.S0)) {
    chunk_ = contract.algorithm == Algorithm::chunk ? static_cast<std::size_t>(c.parameter("C")) : 1;
  }

  /// Empty, or the first rounding.
  std::string find() {
    for (std::size_t t = 0; t < x_.length(); ++t)
      for (const K& decay : x_.lambda[t].lambda)
        for_each_component(decay, [&](const Number& part) { note("lambda", t, part); });
    for (std::size_t begin = 0; begin < x_.length() && found_.empty(); begin += chunk_)
      contract_.algorithm == Algorithm::chunk ? take_chunk(begin, std::min(begin + chunk_, x_.length()))
                                              : take_token(begin);
    return found_;
  }

 private:
  FloatFormat narrowed(Format format) const {
    FloatFormat f = float_format(format);
    f.precision -= bits_less_;
    return f;
  }

  const K& lambda(std::size_t t, std::size_t i) const { return x_.lambda[t].lambda[i]; }

  void note(std::string_view name, std::size_t t, const Number& x) {
    if (found_.empty() && x.inexact()) found_ = fmt::format("{} = {} at token {} is rounded", name, x.value(), t);
  }

  /// A finished sum, as one number of the format.
  K finished(std::string_view name, std::size_t t, const K& sum, const FloatFormat& format) {
    return each_component(sum, [&](const Number& x) {
      const Number whole = x.summed(float32_format).rounded(format);
      note(name, t, whole);
      return Number(whole.value());
    });
  }
  K finished(std::string_view name, std::size_t t, const K& sum) { return finished(name, t, sum, float32_format); }

  void require_operand(std::string_view name, std::size_t t, const K& x, bool one_word) {
    for_each_component(x, [&](const Number& part) {
      if (found_.empty() &&
          !(one_word ? fits_one_word(contract_, part.value()) : fits_operand(contract_, part.value())))
        found_ = fmt::format("{} = {} at token {} is no operand of the product", name, part.value(), t);
    });
  }

  K corrected_value(std::size_t t, std::size_t j, const K& held) {
    const K missing = finished("v - p", t, x_.v(t, j) - held);
    return finished("u", t, K(x_.beta[t]) * missing);
  }

  void take_token(std::size_t t) {
    for (std::size_t j = 0; j < S_.cols() && found_.empty(); ++j) {
      K held(0), read(0);
      for (std::size_t i = 0; i < S_.rows(); ++i) {
        S_(i, j) = lambda(t, i) * S_(i, j);
        held = held + conj(S_(i, j)) * x_.k(t, i);
      }
      const K u = corrected_value(t, j, finished("p", t, held));
      for (std::size_t i = 0; i < S_.rows(); ++i) {
        S_(i, j) = finished("S", t, S_(i, j) + x_.k(t, i) * conj(u), narrowed(Format::f32));
        read = read + conj(S_(i, j)) * x_.q(t, i);
      }
      finished("o", t, read, narrowed(contract_.output));
    }
  }

  /// Σ_i conj(k_si) conj(Γ_ts,i) x_ti for s ≤ t.
  std::vector<K> scores(const Matrix<K>& x, std::size_t begin, std::size_t t) {
    std::vector<K> w(x.row(t).begin(), x.row(t).end()), row(t + 1 - begin, K(0));
    for (std::size_t s = t + 1; s-- > begin;) {
      for (std::size_t i = 0; i < w.size(); ++i) row[s - begin] = row[s - begin] + conj(x_.k(s, i)) * w[i];
      row[s - begin] = finished("a score", t, row[s - begin]);
      for (std::size_t i = 0; i < w.size(); ++i) w[i] = conj(lambda(s, i)) * w[i];
    }
    return row;
  }

  void take_chunk(std::size_t begin, std::size_t end) {
    const std::size_t n = end - begin, d = S_.rows(), dv = S_.cols();
    Matrix<K> M = identity_matrix<K>(n), A(n, n), R(n, dv), U(n, dv), o(n, dv);
    std::vector<K> G(d, K(1));
    for (std::size_t t = 0; t < n; ++t) {
      const K beta = K(x_.beta[begin + t]);
      const std::vector<K> of_key = scores(x_.k, begin, begin + t), of_query = scores(x_.q, begin, begin + t);
      for (std::size_t s = 0; s < t; ++s) {
        K sum(0);
        for (std::size_t l = s; l < t; ++l) sum = sum - finished("L", begin + t, beta * of_key[l]) * M(l, s);
        M(t, s) = finished("M", begin + t, sum);
      }
      std::ranges::copy(of_query, A.row(t).begin());
      for (std::size_t i = 0; i < d; ++i) G[i] = lambda(begin + t, i) * G[i];
      for (std::size_t j = 0; j < dv && found_.empty(); ++j) {
        K held(0);
        for (std::size_t i = 0; i < d; ++i) {
          held = held + conj(S_(i, j)) * (conj(G[i]) * x_.k(begin + t, i));
          o(t, j) = o(t, j) + conj(S_(i, j)) * (conj(G[i]) * x_.q(begin + t, i));
        }
        R(t, j) = corrected_value(begin + t, j, finished("p", begin + t, held));
      }
    }
    require_operands(begin, M, A, R);
    for (std::size_t t = 0; t < n; ++t)
      for (std::size_t j = 0; j < dv && found_.empty(); ++j) {
        for (std::size_t s = 0; s <= t; ++s) U(t, j) = U(t, j) + M(t, s) * R(s, j);
        U(t, j) = finished("u", begin + t, U(t, j));
        require_operand("u", begin + t, U(t, j), false);
        for (std::size_t s = 0; s <= t; ++s) o(t, j) = o(t, j) + A(t, s) * U(s, j);
        finished("o", begin + t, o(t, j), narrowed(contract_.output));
      }
    update_state(begin, end, G, U);
  }

  void require_operands(std::size_t begin, const Matrix<K>& M, const Matrix<K>& A, const Matrix<K>& R) {
    for (std::size_t t = 0; t < M.rows(); ++t) {
      for (std::size_t s = 0; s <= t; ++s) {
        require_operand("M", begin + t, M(t, s), true);
        require_operand("a score", begin + t, A(t, s), true);
      }
      for (const K& x : R.row(t)) require_operand("v - p", begin + t, x, false);
      for (std::size_t i = 0; i < S_.rows(); ++i) {
        require_operand("k", begin + t, x_.k(begin + t, i), true);
        require_operand("q", begin + t, x_.q(begin + t, i), true);
      }
    }
    for (std::size_t i = 0; i < S_.rows(); ++i)
      for (const K& x : S_.row(i)) require_operand("S", begin, x, false);
  }

  void update_state(std::size_t begin, std::size_t end, const std::vector<K>& G, const Matrix<K>& U) {
    for (std::size_t i = 0; i < S_.rows(); ++i) {
      K later(1);
      for (std::size_t j = 0; j < S_.cols(); ++j) S_(i, j) = G[i] * S_(i, j);
      for (std::size_t s = end; s-- > begin;) {
        for (std::size_t j = 0; j < S_.cols(); ++j) S_(i, j) = S_(i, j) + later * x_.k(s, i) * conj(U(s - begin, j));
        later = later * lambda(s, i);
      }
      for (std::size_t j = 0; j < S_.cols(); ++j) S_(i, j) = finished("S", end - 1, S_(i, j), narrowed(Format::f32));
    }
  }

  const Contract& contract_;
  int bits_less_;
  Tokens<K> x_;
  Matrix<K> S_;
  std::size_t chunk_;
  std::string found_;
};

}  // namespace

std::string rounding_of(const Case& c, const Contract& contract, int bits_less) {
  for (std::int64_t n = 0; n < c.sequences(); ++n)
    for (std::int64_t h = 0; h < c.sizes[Axis::head]; ++h) {
      const std::string found = is_complex(c) ? HeadDemands<Cx<Number>>(c, contract, bits_less, n, h).find()
                                              : HeadDemands<Number>(c, contract, bits_less, n, h).find();
      if (!found.empty()) return fmt::format("sequence {}, head {}: {}", n, h, found);
    }
  return "";
}

}  // namespace assay::sfda
