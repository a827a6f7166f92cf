#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "arith/dual.hpp"
#include "oracle/axioms.hpp"
#include "oracle/sanatan/gradients.hpp"
#include "properties/source.hpp"

namespace assay::sanatan {

/// Which inputs of a head move in a trial.
struct Moving {
  bool queries = false, keys = false, values = false, omega = false, lambda = false, state = false;
};

/// x moving along `tangent`, entry by entry.
template <Scalar K>
Dual<K> moving(const K& x, const K& tangent) {
  return Dual<K>(x, tangent);
}
template <class K>
CircleAngle<Dual<K>> moving(const CircleAngle<K>& theta, const K& tangent) {
  return axiom::moving(theta, tangent);
}
template <class E, class K>
auto moving(const std::vector<E>& x, const std::vector<K>& tangent) {
  std::vector<decltype(moving(x[0], tangent[0]))> result;
  for (std::size_t i = 0; i < x.size(); ++i) result.push_back(moving(x[i], tangent[i]));
  return result;
}
template <class E, class K>
auto moving(const Matrix<E>& x, const Matrix<K>& tangent) {
  using Moved = decltype(moving(x(0, 0), tangent(0, 0)));
  Matrix<Moved> result(x.rows(), x.cols(), Moved{});
  for (std::size_t i = 0; i < x.rows(); ++i)
    for (std::size_t j = 0; j < x.cols(); ++j) result(i, j) = moving(x(i, j), tangent(i, j));
  return result;
}
template <class K>
State<Dual<K>> moving(const State<K>& x, const State<K>& tangent) {
  return {moving(x.S, tangent.S), moving(x.z, tangent.z)};
}

/// ⟨x, y⟩ over all entries.
template <class K>
K paired(const Matrix<K>& x, const Matrix<K>& y) {
  K sum(0);
  for (std::size_t i = 0; i < x.rows(); ++i) sum = sum + dot<K>(x.row(i), y.row(i));
  return sum;
}
template <class K>
K paired(const State<K>& x, const State<K>& y) {
  return paired(x.S, y.S) + dot<K>(x.z, y.z);
}

/// ⟨adjoint, ẋ⟩ of a result that carries its tangent ẋ.
template <class K>
K paired_with_tangent(const Matrix<K>& adjoint, const Matrix<Dual<K>>& x) {
  K sum(0);
  for (std::size_t i = 0; i < x.rows(); ++i)
    for (std::size_t j = 0; j < x.cols(); ++j) sum = sum + adjoint(i, j) * x(i, j).tangent;
  return sum;
}
template <class K>
K paired_with_tangent(const State<K>& adjoint, const State<Dual<K>>& x) {
  K sum = paired_with_tangent(adjoint.S, x.S);
  for (std::size_t f = 0; f < x.z.size(); ++f) sum = sum + adjoint.z[f] * x.z[f].tangent;
  return sum;
}

struct HeadSizes {
  std::size_t T, d, dv;
  std::int64_t t0;
};

/// T <= 4, d <= 2, positions up to 6.
template <class K>
HeadSizes small_head(Source<K>& from) {
  return {from.size("T", 1, 4), from.size("d", 1, 2), from.size("dv", 1, 3),
          static_cast<std::int64_t>(from.size("t0", 0, 3))};
}

/// One head with everything free, a direction of its inputs and an adjoint of its results. ⟨dO, J ẋ⟩ by dual numbers
/// and ⟨Jᵀ dO, ẋ⟩ by the closed form must agree: one direction tests a whole gradient.
template <class K>
struct GradientTrial {
  using Angle = CircleAngle<K>;

  std::size_t T, d, dv, F;
  HeadInputs<Angle, K> head;
  Gradients<K> direction;  // one tangent an input
  WeightRule<K> rule;
  Matrix<int> open;
  State<K> initial, d_final;
  Matrix<K> d_output;
  axiom::Tanh<K> tanh;

  GradientTrial(Source<K>& from, const HeadSizes& sizes, Channels channels, int p, const Moving& moves)
      : T(sizes.T),
        d(sizes.d),
        dv(sizes.dv),
        F(count(channels) * d),
        head{channels,
             from.angles(T, d),
             from.angles(T, d),
             from.values(T, dv),
             {from.angles(d), from.angles(d), from.nonzero()},
             sizes.t0},
        rule{p, from.nonzero(), from.nonzero()},
        open(T, T, 1),
        initial{from.values(F, dv), from.values(F)},
        d_final{from.values(F, dv), from.values(F)},
        d_output(from.values(T, dv)),
        tanh([&from] { return from.free(); }) {
    const auto tangent = [&](bool moves, std::size_t rows, std::size_t cols) {
      return moves ? from.values(rows, cols) : Matrix<K>(rows, cols);
    };
    const auto row = [&](bool moves, std::size_t n) { return moves ? from.values(n) : std::vector<K>(n, K(0)); };
    direction = {tangent(moves.queries, T, d), tangent(moves.keys, T, d),
                 tangent(moves.values, T, dv), row(moves.omega, d),
                 row(moves.lambda, d),         {tangent(moves.state, F, dv), row(moves.state, F)}};
    if (channels == Channels::four) open = Source<K>::filled(T, T, [&] { return static_cast<int>(from.below(2)); });
  }

  /// Features of moving angles at moving ω and λ.
  Matrix<Dual<K>> moving_features(const Matrix<Angle>& theta, const Matrix<K>& tangent) const {
    const AngleParameters<CircleAngle<Dual<K>>, Dual<K>> angles{
        moving(head.angles.omega, direction.omega), moving(head.angles.lambda, direction.lambda), head.angles.gamma};
    return features(head.channels, encode(moving(theta, tangent), angles, head.t0, tanh));
  }
  Matrix<Dual<K>> phi_q() const { return moving_features(head.theta_q, direction.theta_q); }
  Matrix<Dual<K>> phi_k() const { return moving_features(head.theta_k, direction.theta_k); }
  Matrix<Dual<K>> v() const { return moving(head.v, direction.v); }

  /// ⟨dO, ȯ⟩ of the parallel form, and ⟨gradient, ẋ⟩.
  K parallel_by_duals() const {
    const WeightRule<Dual<K>> dual_rule{rule.power, rule.scale, rule.epsilon};
    return paired_with_tangent(d_output, attention(clipped(scores(phi_q(), phi_k()), open), v(), dual_rule));
  }
  K parallel_by_closed_form() const { return along(parallel_gradients(head, rule, open, d_output, tanh)); }

  /// ⟨dO, ȯ⟩ + ⟨(dS, dz), (Ṡ, ż)⟩ of the recurrence, and ⟨gradient, ẋ⟩.
  K recurrent_by_duals() const {
    const auto run = recurrence(phi_q(), phi_k(), v(), moving(initial, direction.initial));
    return paired_with_tangent(d_output, normalised(run.sums, Dual<K>(rule.epsilon))) +
           paired_with_tangent(d_final, run.state);
  }
  K recurrent_by_closed_form() const {
    const auto d = recurrent_gradients(head, rule.epsilon, initial, d_output, d_final, tanh);
    return along(d) + paired(d.initial, direction.initial);
  }

  K along(const Gradients<K>& d) const {
    return paired(d.theta_q, direction.theta_q) + paired(d.theta_k, direction.theta_k) + paired(d.v, direction.v) +
           dot<K>(d.omega, direction.omega) + dot<K>(d.lambda, direction.lambda);
  }
};

}  // namespace assay::sanatan
