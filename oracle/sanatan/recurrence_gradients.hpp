#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "oracle/matrix.hpp"
#include "oracle/sanatan/recurrence.hpp"
#include "oracle/scalar.hpp"

namespace assay::sanatan {

/// Gradients of the recurrent form with respect to its features, values and initial state.
template <Scalar K>
struct RecurrenceGradients {
  Matrix<K> phi_q;
  Matrix<K> phi_k;
  Matrix<K> v;
  State<K> initial;
};

namespace detail {

/// The adjoint of N_t and D_t: g_t = dO_t / (D_t + ε), h_t = −⟨dO_t, o_t⟩ / (D_t + ε).
template <Scalar K>
struct ReadoutAdjoint {
  Matrix<K> g;
  std::vector<K> h;
};

template <Scalar K>
ReadoutAdjoint<K> readout_adjoint(const Readout<K>& sums, const K& epsilon, const Matrix<K>& d_output) {
  const Matrix<K> o = normalised(sums, epsilon);
  ReadoutAdjoint<K> adjoint{Matrix<K>(o.rows(), o.cols()), std::vector<K>(o.rows(), K(0))};
  for (std::size_t t = 0; t < o.rows(); ++t) {
    const K denominator = sums.denominator[t] + epsilon;
    for (std::size_t i = 0; i < o.cols(); ++i) {
      adjoint.g(t, i) = d_output(t, i) / denominator;
      adjoint.h[t] = adjoint.h[t] - adjoint.g(t, i) * o(t, i);
    }
  }
  return adjoint;
}

/// S g + h z [F].
template <Scalar K>
std::vector<K> applied(const State<K>& state, std::span<const K> g, const K& h) {
  std::vector<K> result;
  for (std::size_t f = 0; f < state.z.size(); ++f) result.push_back(dot<K>(state.S.row(f), g) + h * state.z[f]);
  return result;
}

/// S + Φ gᵀ, z + h Φ.
template <Scalar K>
State<K> added(State<K> state, std::span<const K> phi, std::span<const K> g, const K& h) {
  for (std::size_t f = 0; f < phi.size(); ++f) {
    state.z[f] = state.z[f] + h * phi[f];
    for (std::size_t i = 0; i < g.size(); ++i) state.S(f, i) = state.S(f, i) + phi[f] * g[i];
  }
  return state;
}

}  // namespace detail

/// With g, h the adjoint of N, D, and a state (G, ζ) that runs backwards from (dS, dz):
///   dΦ(q_t) = S_t g_t + h_t z_t
///   G_t = G_{t+1} + Φ(q_t) g_tᵀ,  ζ_t = ζ_{t+1} + h_t Φ(q_t)
///   dΦ(k_t) = G_t v_t + ζ_t,  dv_t = G_tᵀ Φ(k_t)
/// and (G_0, ζ_0) is the gradient of the initial state.
/// Source: chain rule on [SANATAN] s3.4-3.5 eq. 9.
/// Domain: as recurrence, update first. Error: exact in exact arithmetic; two scans of T state roundings.
template <Scalar K>
RecurrenceGradients<K> recurrence_gradients(const Matrix<K>& phi_q, const Matrix<K>& phi_k, const Matrix<K>& v,
                                            const State<K>& initial, const K& epsilon, const Matrix<K>& d_output,
                                            State<K> d_final) {
  const std::size_t T = v.rows(), F = phi_q.cols();
  require_shape(d_output, T, v.cols(), "d_output");
  const auto adjoint = detail::readout_adjoint(recurrence(phi_q, phi_k, v, initial).sums, epsilon, d_output);
  RecurrenceGradients<K> d{Matrix<K>(T, F), Matrix<K>(T, F), Matrix<K>(T, v.cols()), std::move(d_final)};
  State<K> state = initial;
  for (std::size_t t = 0; t < T; ++t) {
    state = updated(std::move(state), phi_k.row(t), v.row(t));
    std::ranges::copy(detail::applied(state, adjoint.g.row(t), adjoint.h[t]), d.phi_q.row(t).begin());
  }
  State<K>& adjoint_state = d.initial;
  for (std::size_t t = T; t-- > 0;) {
    adjoint_state = detail::added(std::move(adjoint_state), phi_q.row(t), adjoint.g.row(t), adjoint.h[t]);
    std::ranges::copy(detail::applied(adjoint_state, v.row(t), K(1)), d.phi_k.row(t).begin());
    for (std::size_t f = 0; f < F; ++f)
      for (std::size_t i = 0; i < v.cols(); ++i) d.v(t, i) = d.v(t, i) + adjoint_state.S(f, i) * phi_k(t, f);
  }
  return d;
}

}  // namespace assay::sanatan
