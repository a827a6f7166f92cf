#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "arith/complex.hpp"
#include "arith/field_exponential.hpp"
#include "oracle/case_values.hpp"
#include "oracle/circle_angle.hpp"
#include "oracle/matrix.hpp"
#include "oracle/sfda/decay_phase.hpp"
#include "oracle/sfda/recurrence.hpp"
#include "problem/case.hpp"

namespace assay::sfda {

/// One sequence and head of a case of the delta rule in the arithmetic K, every input exact; Λ is as good as exp, cos
/// and sin of K. K is complex where the operator is, real otherwise.
template <Scalar K>
struct Head {
  Tokens<K> tokens;
  Matrix<K> S0;  ///< [d, dv]; zeros without an initial state
};

/// Whether the operator is complex, every complex tensor in two planes.
inline bool is_complex(const Case& c) { return c.has("q_re"); }

/// The tensors that hold `name`: itself, or its planes.
inline std::vector<std::string> planes_of(const Case& c, std::string_view name) {
  if (!is_complex(c)) return {std::string(name)};
  return {std::string(name) + "_re", std::string(name) + "_im"};
}

/// The width of log_alpha: d, or 1 for one decay a head, or 0 for none.
inline std::size_t decays_of(const Case& c) {
  const TensorSpec* const decay = c.op->find("log_alpha");
  if (decay == nullptr) return 0;
  return decay->has(Axis::feature) ? static_cast<std::size_t>(c.sizes[Axis::feature]) : 1;
}

namespace detail {

/// e^x; over a field, of a whole number.
template <class R>
R exponential(const R& x) {
  using std::exp;
  if constexpr (FieldElement<R>)
    return field_exp(x);
  else
    return exp(x);
}

/// θ; over a field, the point of the circle that a whole number stands for.
template <class R>
auto angle(const R& theta) {
  if constexpr (FieldElement<R>) {
    const Cx<R> point = field_phase(theta);
    return CircleAngle<R>{point.re, point.im};
  } else {
    return theta;
  }
}

/// Applies `read(name)`, which gives a matrix of reals, to a tensor or to its planes.
template <class K, class Read>
Matrix<K> joined(const Case& c, std::string_view name, Read read) {
  const std::vector<std::string> planes = planes_of(c, name);
  if (is_complex_v<K> != is_complex(c)) throw std::logic_error("a real operator in complex numbers, or the reverse");
  if constexpr (is_complex_v<K>) {
    const auto re = read(planes[0]), im = read(planes[1]);
    Matrix<K> result(re.rows(), re.cols());
    for (std::size_t i = 0; i < re.rows(); ++i)
      for (std::size_t j = 0; j < re.cols(); ++j) result(i, j) = K(re(i, j), im(i, j));
    return result;
  } else {
    return read(planes[0]);
  }
}

}  // namespace detail

/// λ of one dimension from log α and, where K is complex, θ.
/// Source: [SFDA] eq. 13.
template <class K>
K decay(const RealOf<K>& log_alpha, const RealOf<K>& theta) {
  const RealOf<K> alpha = detail::exponential(log_alpha);
  if constexpr (is_complex_v<K>)
    return polar(alpha, detail::angle(theta));
  else
    return alpha;
}

/// Λ of tokens first … first + count − 1.
template <class K>
std::vector<Diagonal<K>> decays(const Case& c, std::int64_t n, std::int64_t h, std::size_t first, std::size_t count) {
  using R = RealOf<K>;
  const auto d = static_cast<std::size_t>(c.sizes[Axis::feature]);
  const std::size_t width = decays_of(c);
  std::vector<Diagonal<K>> result(count, Diagonal<K>::identity(d));
  if (width == 0) return result;
  const Matrix<R> log_alpha = rows_of<R>(c, "log_alpha", n, h, first, count, width);
  const Matrix<R> theta = is_complex_v<K> ? rows_of<R>(c, "theta", n, h, first, count, d) : Matrix<R>(count, d);
  for (std::size_t t = 0; t < count; ++t) {
    if (width == 1 && !is_complex_v<K>)
      result[t].lambda.assign(d, decay<K>(log_alpha(t, 0), R(0)));
    else
      for (std::size_t i = 0; i < d; ++i) result[t].lambda[i] = decay<K>(log_alpha(t, i), theta(t, i));
  }
  return result;
}

/// The initial state [d, dv]; zeros if there is none.
template <class K>
Matrix<K> initial_state(const Case& c, std::int64_t n, std::int64_t h) {
  const auto d = static_cast<std::size_t>(c.sizes[Axis::feature]), dv = static_cast<std::size_t>(c.sizes[Axis::value]);
  return detail::joined<K>(c, "S0", [&](const std::string& name) {
    const auto block = block_of<RealOf<K>>(c, name, state_index(c, n, h), d * dv);
    Matrix<RealOf<K>> S(d, dv);
    for (std::size_t i = 0; i < d; ++i) std::ranges::copy_n(block.begin() + i * dv, dv, S.row(i).begin());
    return S;
  });
}

/// Sequence n, head h.
template <class K>
Head<K> head_of(const Case& c, std::int64_t n, std::int64_t h) {
  const std::size_t T = length_of(c, n);
  const auto rows = [&](std::string_view name, Axis axis) {
    return detail::joined<K>(c, name, [&](const std::string& tensor) {
      return rows_of<RealOf<K>>(c, tensor, n, h, 0, T, static_cast<std::size_t>(c.sizes[axis]));
    });
  };
  Head<K> x{{rows("q", Axis::feature), rows("k", Axis::feature), rows("v", Axis::value), {}, decays<K>(c, n, h, 0, T)},
            initial_state<K>(c, n, h)};
  const auto beta = rows_of<RealOf<K>>(c, "beta", n, h, 0, T, 1);
  for (std::size_t t = 0; t < T; ++t) x.tokens.beta.push_back(beta(t, 0));
  return x;
}

/// Calls put(tensor, first, row) for every row of o and S of sequence n and head h, plane by plane: `row` holds reals
/// and begins at element `first` of the tensor.
template <class K, class Put>
void for_every_row(const Case& c, std::int64_t n, std::int64_t h, const Run<K>& run, Put put) {
  using R = RealOf<K>;
  const std::vector<std::string> o = planes_of(c, "o"), S = planes_of(c, "S");
  const auto split = [&](const std::vector<std::string>& planes, std::size_t first, std::span<const K> row) {
    if constexpr (is_complex_v<K>) {
      std::vector<R> re, im;
      for (const K& x : row) re.push_back(x.re), im.push_back(x.im);
      put(planes[0], first, std::span<const R>(re));
      put(planes[1], first, std::span<const R>(im));
    } else {
      put(planes[0], first, row);
    }
  };
  const std::size_t dv = run.o.cols(), d = run.S.rows();
  for (std::size_t t = 0; t < run.o.rows(); ++t) split(o, row_offset(c, n, t, h, dv), run.o.row(t));
  for (std::size_t i = 0; i < d; ++i) split(S, (state_index(c, n, h) * d + i) * dv, run.S.row(i));
}

}  // namespace assay::sfda
