#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "oracle/matrix.hpp"
#include "oracle/sanatan/attention.hpp"
#include "oracle/scalar.hpp"
#include "oracle/steps.hpp"

namespace assay::sanatan {

/// S [F, dv] = Σ Φ(k_j) v_jᵀ and z [F] = Σ Φ(k_j), F = channels · d.
/// Source: [SANATAN] s3.5, [SANATAN-notes] s2.7.
template <Scalar K>
struct State {
  Matrix<K> S;
  std::vector<K> z;

  friend bool operator==(const State&, const State&) = default;
};

/// The state of an empty history.
template <Scalar K>
State<K> empty_state(std::size_t features, std::size_t values) {
  return {Matrix<K>(features, values), std::vector<K>(features, K(0))};
}

/// S ← S + Φ(k) vᵀ, z ← z + Φ(k).
/// Source: [SANATAN] s3.4-3.5 eq. 9, [SANATAN-notes] s2.7.
/// Domain: k [F], v [dv]. Error: one product and one state rounding an entry of S, one state rounding an entry of z.
template <Scalar K, Steps<K> S = Exact>
State<K> updated(State<K> state, std::span<const K> phi_k, std::span<const K> v, const S& steps = {}) {
  require_length(phi_k.size(), state.z.size(), "phi_k");
  require_length(v.size(), state.S.cols(), "v");
  for (std::size_t f = 0; f < phi_k.size(); ++f) {
    state.z[f] = steps.state(state.z[f] + phi_k[f]);
    for (std::size_t i = 0; i < v.size(); ++i)
      state.S(f, i) = steps.state(state.S(f, i) + steps.product(phi_k[f] * v[i]));
  }
  return state;
}

/// Row t of a readout: N_t = Φ(q)ᵀ S, D_t = Φ(q)ᵀ z.
/// Source: [SANATAN] s3.4-3.5 eq. 9, [SANATAN-notes] s2.7.
/// Domain: q [F]. Error: that of 1 + dv inner products of F terms.
template <Scalar K, Steps<K> S = Exact>
void read_row(Readout<K>& sums, std::size_t t, const State<K>& state, std::span<const K> phi_q, const S& steps = {}) {
  require_length(phi_q.size(), state.z.size(), "phi_q");
  sums.denominator[t] = dot<K>(phi_q, state.z, steps);
  for (std::size_t i = 0; i < state.S.cols(); ++i) {
    K sum(0);
    for (std::size_t f = 0; f < phi_q.size(); ++f)
      sum = steps.accumulate(sum + steps.product(phi_q[f] * state.S(f, i)));
    sums.numerator(t, i) = steps.dot(sum);
  }
}

/// What a run over T tokens leaves: raw sums, not yet divided, and the state after the last token.
template <Scalar K>
struct Run {
  Readout<K> sums;
  State<K> state;
};

/// Whether a token sees itself: update first is the mask j ≤ t, read first the mask j < t.
enum class Order { update_then_read, read_then_update };

/// S_t = S_{t−1} + Φ(k_t) v_tᵀ, z_t = z_{t−1} + Φ(k_t), N_t = Φ(q_t)ᵀ S_t, D_t = Φ(q_t)ᵀ z_t from a given state.
/// Source: [SANATAN] s3.4-3.5 eq. 9, [SANATAN-notes] s2.7.
/// Equals attention at p = 1 without clipping; normalise with raw_epsilon.
/// Domain: φ [T, F], v [T, dv], a state of the same widths. Error: T state roundings an entry, and that of a read.
template <Scalar K, Steps<K> S = Exact>
Run<K> recurrence(const Matrix<K>& phi_q, const Matrix<K>& phi_k, const Matrix<K>& v, State<K> state,
                  Order order = Order::update_then_read, const S& steps = {}) {
  require_shape(phi_k, phi_q.rows(), phi_q.cols(), "phi_k");
  require_shape(v, phi_q.rows(), state.S.cols(), "v");
  Readout<K> sums{Matrix<K>(v.rows(), v.cols()), std::vector<K>(v.rows(), K(0))};
  for (std::size_t t = 0; t < v.rows(); ++t) {
    if (order == Order::read_then_update) read_row(sums, t, state, phi_q.row(t), steps);
    state = updated(std::move(state), phi_k.row(t), v.row(t), steps);
    if (order == Order::update_then_read) read_row(sums, t, state, phi_q.row(t), steps);
  }
  return {std::move(sums), std::move(state)};
}

}  // namespace assay::sanatan
