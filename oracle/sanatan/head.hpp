#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>
#include <vector>

#include "oracle/matrix.hpp"
#include "oracle/sanatan/recurrence.hpp"
#include "problem/case.hpp"
#include "problem/tensor.hpp"

namespace assay::sanatan {

/// One sequence and head of a case in the arithmetic K, every value exact. What the case does not hold is empty.
template <class K>
struct Head {
  std::size_t T = 0, d = 0, dv = 0, channels = 0;
  std::int64_t t0 = 0;           ///< position of the first token
  Matrix<K> q, k;                ///< [T, d]
  Matrix<K> phi_q, phi_k;        ///< [T, channels · d], where features are given
  Matrix<K> v;                   ///< [T, dv]
  std::vector<K> omega, lambda;  ///< [d]
  State<K> initial;              ///< [channels · d, dv] and [channels · d]; zeros without an initial state

  std::size_t width() const { return channels * d; }
};

/// Where row t of sequence n and head h starts in an array [B, T, H, width].
inline std::size_t row_offset(const Case& c, std::int64_t n, std::size_t t, std::int64_t h, std::size_t width) {
  const auto token = static_cast<std::size_t>(c.tokens_of(n).first) + t;
  return (token * static_cast<std::size_t>(c.sizes[Axis::head]) + static_cast<std::size_t>(h)) * width;
}

/// Whether (S, z) carries the sums from token to token. A power, or the clip of four channels, leaves no finite state:
/// the double sum is all there is.
inline bool has_finite_state(const Case& c) { return c.parameter("p") == 1 && c.sizes[Axis::channel] != 4; }

namespace detail {

/// Element i of a tensor in the arithmetic K.
template <class K>
K element_of(const Tensor& tensor, std::size_t i) {
  if constexpr (requires { FormatOf<K>::value; }) {
    if (is_field(tensor.format())) return tensor.as<K>()[i];
  }
  if constexpr (std::constructible_from<K, double>)
    return K(tensor.value(static_cast<std::int64_t>(i)));
  else
    throw std::logic_error("a field cannot hold real values");
}

template <class K>
Matrix<K> rows_of(const Case& c, std::string_view name, std::int64_t n, std::int64_t h, std::size_t T,
                  std::size_t width) {
  const auto it = c.inputs.find(name);
  if (it == c.inputs.end()) return {};
  Matrix<K> rows(T, width);
  for (std::size_t t = 0; t < T; ++t) {
    const std::size_t first = row_offset(c, n, t, h, width);
    if constexpr (std::same_as<K, double>)
      it->second.copy_values(static_cast<std::int64_t>(first), rows.row(t));
    else
      for (std::size_t i = 0; i < width; ++i) rows(t, i) = element_of<K>(it->second, first + i);
  }
  return rows;
}

/// Block `index` of `count` elements; zeros if the case has no such tensor.
template <class K>
std::vector<K> block_of(const Case& c, std::string_view name, std::size_t index, std::size_t count) {
  std::vector<K> block(count, K(0));
  if (const auto it = c.inputs.find(name); it != c.inputs.end())
    for (std::size_t i = 0; i < count; ++i) block[i] = element_of<K>(it->second, index * count + i);
  return block;
}

}  // namespace detail

/// Sequence n, head h.
template <class K>
Head<K> head_of(const Case& c, std::int64_t n, std::int64_t h) {
  Head<K> x;
  const auto [begin, end] = c.tokens_of(n);
  x.T = static_cast<std::size_t>(end - begin);
  x.d = static_cast<std::size_t>(c.sizes[Axis::feature]);
  x.dv = static_cast<std::size_t>(c.sizes[Axis::value]);
  x.channels = static_cast<std::size_t>(c.sizes[Axis::channel]);
  if (c.has("t0")) x.t0 = c.inputs.at("t0").as<std::int64_t>()[static_cast<std::size_t>(n)];
  x.q = detail::rows_of<K>(c, "q", n, h, x.T, x.d);
  x.k = detail::rows_of<K>(c, "k", n, h, x.T, x.d);
  x.phi_q = detail::rows_of<K>(c, "phi_q", n, h, x.T, x.width());
  x.phi_k = detail::rows_of<K>(c, "phi_k", n, h, x.T, x.width());
  x.v = detail::rows_of<K>(c, "v", n, h, x.T, x.dv);
  const auto head = static_cast<std::size_t>(h);
  x.omega = detail::block_of<K>(c, "omega", head, x.d);
  x.lambda = detail::block_of<K>(c, "lambda", head, x.d);
  const auto state = static_cast<std::size_t>(n * c.sizes[Axis::head] + h);
  const std::vector<K> S = detail::block_of<K>(c, "S0", state, x.width() * x.dv);
  x.initial = empty_state<K>(x.width(), x.dv);
  for (std::size_t f = 0; f < x.width(); ++f)
    for (std::size_t j = 0; j < x.dv; ++j) x.initial.S(f, j) = S[f * x.dv + j];
  x.initial.z = detail::block_of<K>(c, "z0", state, x.width());
  return x;
}

}  // namespace assay::sanatan
