#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "arith/complex.hpp"
#include "oracle/matrix.hpp"
#include "oracle/scalar.hpp"
#include "oracle/sfda/recurrence.hpp"
#include "oracle/sfda/token_update.hpp"

namespace assay::sfda {

/// Gradients of the real number Re(⟨dO, o⟩ + ⟨dS, S_T⟩), ⟨a, b⟩ = Σ conj(a) b. That of a complex x is d/dRe x +
/// i d/dIm x, so that a change δx changes the number by Re⟨dx, δx⟩.
template <Scalar K>
struct Gradients {
  Matrix<K> q, k, v;
  std::vector<RealOf<K>> beta;
  Matrix<K> lambda;   ///< [T, d], of the diagonal of Λ
  Matrix<K> initial;  ///< of S_0
};

namespace detail {

/// States S̄_t before the correction and S_t after it.
template <Scalar K>
struct History {
  std::vector<Matrix<K>> carried, corrected;
};

template <Scalar K>
History<K> history(const Tokens<K>& x, Matrix<K> S) {
  History<K> h;
  for (std::size_t t = 0; t < x.length(); ++t) {
    h.carried.push_back(x.lambda[t].times(S));
    S = corrected(S, x.lambda[t], x.k.row(t), x.v.row(t), x.beta[t]);
    h.corrected.push_back(S);
  }
  return h;
}

template <Scalar K>
void assign_row(Matrix<K>& m, std::size_t t, const Matrix<K>& x) {
  for (std::size_t i = 0; i < x.rows(); ++i) m(t, i) = x(i, 0);
}

}  // namespace detail

/// With G_T = dS_T, backwards over t, every vector a column:
///   dq = S_t dO_t,  G ← G + q dO_t*
///   h = G* k,  e = v − S̄* k,  dv = β h,  dβ = Re⟨e, h⟩,  dk = β (G e − S̄ h)
///   dS̄ = (I − β k k*) G,  dλ_i = Σ_j dS̄_ij conj(S_{t−1,ij}),  G_{t−1} = Λ* dS̄
/// and G_0 is the gradient of S_0.
/// Source: chain rule on [SFDA] eq. 13; own.
/// Domain: as recurrence, Λ diagonal, β real; dO [T, dv], dS [d, dv]. No inverse of Λ: α = 0 is allowed.
template <Scalar K>
Gradients<K> gradients(const Tokens<K>& x, const Matrix<K>& S0, const Matrix<K>& d_output, const Matrix<K>& d_final) {
  require_tokens(x, S0);
  const std::size_t T = x.length(), d = S0.rows(), dv = S0.cols();
  require_shape(d_output, T, dv, "d_output");
  require_shape(d_final, d, dv, "d_final");
  const detail::History<K> states = detail::history(x, S0);
  Gradients<K> g{Matrix<K>(T, d), Matrix<K>(T, d), Matrix<K>(T, dv), std::vector<RealOf<K>>(T, RealOf<K>(0)),
                 Matrix<K>(T, d), d_final};
  Matrix<K>& G = g.initial;
  for (std::size_t t = T; t-- > 0;) {
    const Matrix<K> q = column<K>(x.q.row(t)), k = column<K>(x.k.row(t)), d_o = column<K>(d_output.row(t));
    const Matrix<K>& carried = states.carried[t];
    const K beta(x.beta[t]);
    detail::assign_row(g.q, t, states.corrected[t] * d_o);
    G = G + q * adjoint(d_o);
    const Matrix<K> h = adjoint(G) * k, e = column<K>(x.v.row(t)) - adjoint(carried) * k;
    detail::assign_row(g.v, t, beta * h);
    g.beta[t] = real((adjoint(e) * h)(0, 0));
    detail::assign_row(g.k, t, beta * (G * e - carried * h));
    G = G - beta * (k * adjoint(h));
    const Matrix<K>& before = t > 0 ? states.corrected[t - 1] : S0;
    for (std::size_t i = 0; i < d; ++i)
      for (std::size_t j = 0; j < dv; ++j) g.lambda(t, i) = g.lambda(t, i) + G(i, j) * conj(before(i, j));
    G = x.lambda[t].adjoint_times(G);
  }
  return g;
}

/// Gradients of α, log α and θ from that of λ = α e^{iθ}.
template <Scalar R>
struct DecayPhaseGradients {
  R alpha, log_alpha, theta;
};

/// dα = Re⟨dλ, e^{iθ}⟩, d log α = Re⟨dλ, λ⟩, dθ = −Im⟨dλ, λ⟩ as dλ/dθ = iλ. At α = 0 the last two are 0.
/// Source: chain rule on [SFDA] eq. 13; own.
template <Scalar R>
DecayPhaseGradients<R> decay_phase_gradients(const Cx<R>& d_lambda, const R& alpha, const Cx<R>& phase) {
  const Cx<R> paired = conj(d_lambda) * phase;
  return {paired.re, alpha * paired.re, -(alpha * paired.im)};
}

}  // namespace assay::sfda
