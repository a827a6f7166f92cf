#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "arith/dual.hpp"
#include "oracle/sfda/gradients.hpp"
#include "properties/sfda/inputs.hpp"

namespace assay::sfda {

/// Which inputs move in a trial.
struct Moving {
  bool q = false, k = false, v = false, beta = false, lambda = false, initial = false;
};

/// x moving along `tangent`, entry by entry: K = Cx<R> becomes Cx<Dual<R>>.
template <class R>
Cx<Dual<R>> moving(const Cx<R>& x, const Cx<R>& tangent) {
  return {Dual<R>(x.re, tangent.re), Dual<R>(x.im, tangent.im)};
}
template <class R>
Matrix<Cx<Dual<R>>> moving(const Matrix<Cx<R>>& x, const Matrix<Cx<R>>& tangent) {
  Matrix<Cx<Dual<R>>> result(x.rows(), x.cols());
  for (std::size_t i = 0; i < x.rows(); ++i)
    for (std::size_t j = 0; j < x.cols(); ++j) result(i, j) = moving(x(i, j), tangent(i, j));
  return result;
}

/// Re⟨x, y⟩ = Re Σ conj(x) y.
template <class K>
RealOf<K> paired(const Matrix<K>& x, const Matrix<K>& y) {
  RealOf<K> sum(0);
  for (std::size_t i = 0; i < x.rows(); ++i)
    for (std::size_t j = 0; j < x.cols(); ++j) sum = sum + (conj(x(i, j)) * y(i, j)).re;
  return sum;
}

/// Re⟨adjoint, ẋ⟩ of a result that carries its tangent ẋ.
template <class R>
R paired_with_tangent(const Matrix<Cx<R>>& adjoint, const Matrix<Cx<Dual<R>>>& x) {
  R sum(0);
  for (std::size_t i = 0; i < x.rows(); ++i)
    for (std::size_t j = 0; j < x.cols(); ++j)
      sum = sum + adjoint(i, j).re * x(i, j).re.tangent + adjoint(i, j).im * x(i, j).im.tangent;
  return sum;
}

/// A head, a direction of its inputs and an adjoint of its results. Re⟨dO, ȯ⟩ + Re⟨dS, Ṡ⟩ by dual numbers and
/// Re⟨gradient, direction⟩ by the closed form must agree: one direction tests a whole gradient.
template <class K>
struct GradientTrial {
  using R = RealOf<K>;

  std::size_t T, d, dv;
  Tokens<K> x;
  Matrix<K> S;
  Gradients<K> direction;
  Matrix<K> d_output, d_final;

  GradientTrial(Source<K>& from, std::size_t length, std::size_t width, std::size_t values, const Moving& moves)
      : T(length),
        d(width),
        dv(values),
        x(diagonal_tokens(from, T, d, dv)),
        S(from.values(d, dv)),
        direction{tangent(from, moves.q, T, d),      tangent(from, moves.k, T, d),
                  tangent(from, moves.v, T, dv),     moves.beta ? from.reals(T) : std::vector<R>(T, R(0)),
                  tangent(from, moves.lambda, T, d), tangent(from, moves.initial, d, dv)},
        d_output(from.values(T, dv)),
        d_final(from.values(d, dv)) {}

  static Matrix<K> tangent(Source<K>& from, bool moves, std::size_t rows, std::size_t cols) {
    return moves ? from.values(rows, cols) : Matrix<K>(rows, cols);
  }

  Tokens<Cx<Dual<R>>> moving_tokens() const {
    Tokens<Cx<Dual<R>>> moved{moving(x.q, direction.q), moving(x.k, direction.k), moving(x.v, direction.v), {}, {}};
    for (std::size_t t = 0; t < T; ++t) {
      moved.beta.emplace_back(x.beta[t], direction.beta[t]);
      moved.lambda.emplace_back();
      for (std::size_t i = 0; i < d; ++i)
        moved.lambda[t].lambda.push_back(moving(x.lambda[t].lambda[i], direction.lambda(t, i)));
    }
    return moved;
  }

  R of_run(const Run<Cx<Dual<R>>>& run) const {
    return paired_with_tangent(d_output, run.o) + paired_with_tangent(d_final, run.S);
  }
  R by_duals() const { return of_run(recurrence(moving_tokens(), moving(S, direction.initial))); }

  Gradients<K> closed_form() const { return gradients(x, S, d_output, d_final); }
  R along(const Gradients<K>& g) const {
    R sum = paired(g.q, direction.q) + paired(g.k, direction.k) + paired(g.v, direction.v) +
            paired(g.lambda, direction.lambda) + paired(g.initial, direction.initial);
    for (std::size_t t = 0; t < T; ++t) sum = sum + g.beta[t] * direction.beta[t];
    return sum;
  }
};

}  // namespace assay::sfda
