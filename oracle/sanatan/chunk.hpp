#pragma once

#include <cstddef>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "oracle/matrix.hpp"
#include "oracle/sanatan/recurrence.hpp"
#include "oracle/scalar.hpp"
#include "oracle/steps.hpp"

namespace assay::sanatan {

namespace detail {

/// The rows of a chunk: the state before it, then its own tokens under the mask j ≤ t.
template <Scalar K, Steps<K> S>
void read_chunk(Readout<K>& sums, const State<K>& before, const Matrix<K>& phi_q, const Matrix<K>& phi_k,
                const Matrix<K>& v, std::size_t begin, std::size_t end, const S& steps) {
  for (std::size_t t = begin; t < end; ++t) {
    read_row(sums, t, before, phi_q.row(t), steps);
    for (std::size_t j = begin; j <= t; ++j) {
      const K s = dot<K>(phi_q.row(t), phi_k.row(j), steps);
      sums.denominator[t] = steps.accumulate(sums.denominator[t] + s);
      for (std::size_t i = 0; i < v.cols(); ++i)
        sums.numerator(t, i) = steps.accumulate(sums.numerator(t, i) + steps.product(s * v(j, i)));
    }
  }
}

}  // namespace detail

/// The recurrence by chunks. In a chunk that begins at b with the state (S, z) of everything before it:
///   N_t = Φ(q_t)ᵀ S + Σ_{b ≤ j ≤ t} s_tj v_j        D_t = Φ(q_t)ᵀ z + Σ_{b ≤ j ≤ t} s_tj
/// and the next chunk starts from S + Σ_j Φ(k_j) v_jᵀ, z + Σ_j Φ(k_j).
/// Source: follows from [SANATAN] s3.4-3.5 eq. 9.
/// One chunk of T tokens is the parallel form, T chunks of one token are the recurrence with p = 1.
/// Domain: chunk lengths that add up to T; a length of 0 is a chunk without tokens. Error: that of a read, of a masked
/// sum over the chunk, and T state roundings.
template <Scalar K, Steps<K> S = Exact>
Run<K> chunked(const Matrix<K>& phi_q, const Matrix<K>& phi_k, const Matrix<K>& v, State<K> state,
               std::span<const std::size_t> lengths, const S& steps = {}) {
  require_shape(phi_k, phi_q.rows(), phi_q.cols(), "phi_k");
  require_shape(v, phi_q.rows(), state.S.cols(), "v");
  require_length(std::accumulate(lengths.begin(), lengths.end(), std::size_t{0}), v.rows(), "chunks together");
  Readout<K> sums{Matrix<K>(v.rows(), v.cols()), std::vector<K>(v.rows(), K(0))};
  std::size_t begin = 0;
  for (const std::size_t length : lengths) {
    const std::size_t end = begin + length;
    detail::read_chunk(sums, state, phi_q, phi_k, v, begin, end, steps);
    for (std::size_t j = begin; j < end; ++j) state = updated(std::move(state), phi_k.row(j), v.row(j), steps);
    begin = end;
  }
  return {std::move(sums), std::move(state)};
}

}  // namespace assay::sanatan
