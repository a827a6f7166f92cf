#pragma once

#include <cstdint>
#include <vector>

#include "oracle/case_values.hpp"
#include "oracle/matrix.hpp"
#include "oracle/sanatan/recurrence.hpp"
#include "problem/case.hpp"

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

/// Whether (S, z) carries the sums from token to token. A power, or the clip of four channels, leaves no finite state:
/// the double sum is all there is.
inline bool has_finite_state(const Case& c) { return c.parameter("p") == 1 && c.sizes[Axis::channel] != 4; }

/// Sequence n, head h.
template <class K>
Head<K> head_of(const Case& c, std::int64_t n, std::int64_t h) {
  Head<K> x;
  x.T = length_of(c, n);
  x.d = static_cast<std::size_t>(c.sizes[Axis::feature]);
  x.dv = static_cast<std::size_t>(c.sizes[Axis::value]);
  x.channels = static_cast<std::size_t>(c.sizes[Axis::channel]);
  if (c.has("t0")) x.t0 = c.inputs.at("t0").as<std::int64_t>()[static_cast<std::size_t>(n)];
  x.q = rows_of<K>(c, "q", n, h, 0, x.T, x.d);
  x.k = rows_of<K>(c, "k", n, h, 0, x.T, x.d);
  x.phi_q = rows_of<K>(c, "phi_q", n, h, 0, x.T, x.width());
  x.phi_k = rows_of<K>(c, "phi_k", n, h, 0, x.T, x.width());
  x.v = rows_of<K>(c, "v", n, h, 0, x.T, x.dv);
  const auto head = static_cast<std::size_t>(h);
  x.omega = block_of<K>(c, "omega", head, x.d);
  x.lambda = block_of<K>(c, "lambda", head, x.d);
  const std::size_t state = state_index(c, n, h);
  const std::vector<K> S = block_of<K>(c, "S0", state, x.width() * x.dv);
  x.initial = empty_state<K>(x.width(), x.dv);
  for (std::size_t f = 0; f < x.width(); ++f)
    for (std::size_t j = 0; j < x.dv; ++j) x.initial.S(f, j) = S[f * x.dv + j];
  x.initial.z = block_of<K>(c, "z0", state, x.width());
  return x;
}

}  // namespace assay::sanatan
