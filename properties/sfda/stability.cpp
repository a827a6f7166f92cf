#include "oracle/sfda/stability.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include <fmt/format.h>

#include "arith/multiprecision.hpp"
#include "oracle/sfda/decay_phase.hpp"
#include "oracle/sfda/recurrence.hpp"
#include "properties/enumerated.hpp"
#include "properties/identity.hpp"
#include "properties/same.hpp"
#include "properties/sfda/inputs.hpp"
#include "properties/sfda/laws.hpp"

namespace assay {
namespace {

using namespace sfda;

/// Σ |x_ij|².
template <class K>
RealOf<K> square(const Matrix<K>& x) {
  RealOf<K> sum(0);
  for (std::size_t i = 0; i < x.rows(); ++i)
    for (const K& entry : x.row(i)) sum = sum + abs2(entry);
  return sum;
}

/// In [−1, 1] where there is an order, the ends included at listed points; free over a field.
template <class K>
RealOf<K> bounded_real(Source<K>& from) {
  const RealOf<K> u = from.real();
  if constexpr (OrderedScalar<RealOf<K>>) {
    const RealOf<K> size = u < RealOf<K>(0) ? RealOf<K>(-u) : u;
    return size == RealOf<K>(1) ? u : RealOf<K>(u / (RealOf<K>(1) + size));
  } else {
    return u;
  }
}

/// Λ with |λ| ≤ 1 over the rationals.
template <class K>
Diagonal<K> bounded_control(Source<K>& from, std::size_t d) {
  using R = RealOf<K>;
  std::vector<R> alpha;
  for (std::size_t i = 0; i < d; ++i) alpha.push_back(bounded_real(from));
  return decay_and_phase<CircleAngle<R>, R>(alpha, from.angles(d));
}

/// k* k.
template <class K>
RealOf<K> norm_of(const std::vector<K>& k) {
  return square(column<K>(k));
}

/// β with β k*k in [0, 2] over the rationals; free where k = 0 or there is no order.
template <class K>
RealOf<K> bounded_strength(Source<K>& from, const std::vector<K>& k) {
  const RealOf<K> norm = norm_of(k);
  if (norm == RealOf<K>(0)) return from.real();
  return (RealOf<K>(1) + bounded_real(from)) / norm;
}

/// Σ (1 − |λ_i|²) |x_ij|²: what the control takes from the squared norm.
template <class K>
RealOf<K> taken(const Diagonal<K>& lambda, const Matrix<K>& x) {
  RealOf<K> sum(0);
  for (std::size_t i = 0; i < x.rows(); ++i)
    for (const K& entry : x.row(i)) sum = sum + (RealOf<K>(1) - abs2(lambda.lambda[i])) * abs2(entry);
  return sum;
}

Law non_expansive() {
  return complex_certified_inequality(
      "sfda.transition_does_not_expand",
      "|x|^2 - |A x|^2 = sum (1 - |lambda_i|^2) |x_i|^2 + beta (2 - beta k*k) |k* Lambda x|^2, >= 0 where |lambda| <= "
      "1, "
      "0 <= beta k*k <= 2",
      "[SFDA] Prop. 6.3; [SFDA-notes] s3.3; SFD-051", 12, 12, []<class K>(Source<K>& from) {
        using R = RealOf<K>;
        const std::size_t d = from.size("d", 1, 4);
        const std::vector<K> k = from.values(d);
        const R beta = bounded_strength(from, k), strength = beta * norm_of(k);
        const Diagonal<K> lambda = bounded_control(from, d);
        const Matrix<K> x = from.values(d, 1), along = adjoint(column<K>(k)) * lambda.times(x);
        const R loss = square(x) - square(transition<K>(lambda, k, beta) * x);
        FirstFailure found;
        found.note(same("loss", loss, R(taken(lambda, x) + beta * (R(2) - strength) * square(along))));
        if constexpr (OrderedScalar<R>) {
          found.note(holds_if(!(loss < R(0)), "grows by " + text_of(R(-loss))));
          found.note(holds_if(norm_of(k) == R(0) || (!(strength < R(0)) && !(R(2) < strength)), "outside the domain"));
        }
        return found.outcome();
      });
}

/// x = Λ* y with y across k: Λ x = y where |λ| = 1.
Law unitary_control() {
  return complex_identity(
      "sfda.a_unitary_control_keeps_the_length_of_what_it_takes_across_the_key",
      "|lambda| = 1, d >= 2: A x = y and |A x| = |x| for x = Lambda* y, k* y = 0; some y is not 0",
      "own, on [SFDA-notes] s4.1; SFD-098", 24, 8, []<class K>(Source<K>& from) {
        using R = RealOf<K>;
        const std::size_t d = from.size("d", 2, 4);
        const std::vector<K> key = from.values(d);
        const std::vector<R> unit(d, R(1));
        const Diagonal<K> lambda = decay_and_phase<CircleAngle<R>, R>(unit, from.angles(d));
        Matrix<K> y(d, 1);
        y(0, 0) = conj(key[1]);
        y(1, 0) = -conj(key[0]);
        if (key[0] == K(0) && key[1] == K(0)) y(0, 0) = K(1);
        const Matrix<K> x = lambda.adjoint_times(y), Ax = transition<K>(lambda, key, from.real()) * x;
        return all_of({same("k* y", adjoint(column<K>(key)) * y, Matrix<K>(1, 1)), same("A x", Ax, y),
                       same("|A x|^2", square(Ax), square(x)), differs("y = 0", y, Matrix<K>(d, 1))});
      });
}

Law spectrum() {
  return complex_identity(
      "sfda.erasure_scales_its_key_and_leaves_the_rest",
      "(I - beta k k*) k = (1 - beta k*k) k, and x with k* x = 0 is unchanged; for d = 1 none is left",
      "[SFDA] Prop. 6.3; [SFDA-notes] s3.3; SFD-052", 7, 8, []<class K>(Source<K>& from) {
        using R = RealOf<K>;
        const std::size_t d = from.size("d", 1, 4);
        const std::vector<K> key = from.values(d);
        const R beta = from.real(), norm = norm_of(key);
        const Matrix<K> k = column<K>(key), y = from.values(d, 1), H = erasure<K>(key, beta);
        const Matrix<K> across = K(norm) * y - k * (adjoint(k) * y);
        FirstFailure found;
        found.note(same("H k", H * k, K(R(1) - beta * norm) * k));
        found.note(same("k* x", adjoint(k) * across, Matrix<K>(1, 1)));
        found.note(same("H x", H * across, across));
        if (d == 1) found.note(same("across", across, Matrix<K>(1, 1)));
        return found.outcome();
      });
}

/// |H x|² ≤ N² |x|² for every x, and an x that reaches N² |x|²: k itself, or one across it.
Law erasure_norm_is_sharp() {
  return {
      "sfda.norm_of_an_erasure_is_the_larger_of_one_and_its_factor",
      "d >= 2: |I - beta k k*| = max(1, |1 - beta k*k|), reached: 1 + e at beta k*k = 2 + e, and above 1 for beta < 0",
      "own, on [SFDA] Prop. 6.3; SFD-053",
      Proof::tested,
      0,
      16,
      {check_over<GaussianRational>([]<class K>(Source<K>& from) {
        using R = RealOf<K>;
        const std::size_t d = from.size("d", 2, 4);
        std::vector<K> key = from.values(d);
        key[0] = K(1);
        const R norm = norm_of(key);
        FirstFailure found;
        for (const R& strength :
             {R(0), R(1, 2), R(1), R(2), R(R(2) + abs2(from.free())), R(-abs2(from.free()) - R(1))}) {
          const R N = erasure_norm(strength);
          const Matrix<K> H = erasure<K>(key, R(strength / norm)), k = column<K>(key);
          const Matrix<K> y = from.values(d, 1), x = from.values(d, 1);
          const Matrix<K> across = K(norm) * y - k * (adjoint(k) * y);
          found.note(holds_if(!(N * N * square(x) < square(H * x)), "more than the norm"));
          const bool along = R(1) < N;
          found.note(same("reached", square(H * (along ? k : across)), R(N * N * square(along ? k : across))));
          if (R(2) < strength) found.note(same("beyond 2", N, R(strength - R(1))));
          if (strength < R(0)) found.note(same("below 0", N, R(R(1) - strength)));
          if (strength == R(2)) found.note(same("isometry", adjoint(H) * H, identity_matrix<K>(d)));
        }
        return found.outcome();
      })}};
}

/// sqrt(x), in fifty digits.
Mpfr50 root(const Rational& x) { return sqrt(Mpfr50(numerator(x)) / Mpfr50(denominator(x))); }

constexpr const char* fifty_digits = "Q(i), norms in MPFR 50 digits";
const Mpfr50 digits_left = Mpfr50(1) / Mpfr50(std::int64_t{1} << 60) / Mpfr50(std::int64_t{1} << 60);

Check in_fifty_digits(std::function<Outcome(Source<GaussianRational>&)> trial) {
  return {fifty_digits, 0, [trial](Draw& draw) {
            Source<GaussianRational> source(draw, Points::free);
            return try_once([&] { return trial(source); });
          }};
}

/// Runs of A S + B with free B and |λ| ≤ ρ: exact states, norms to fifty digits.
Outcome keeps_bounds(Source<GaussianRational>& from, const Rational& rho) {
  using K = GaussianRational;
  const std::size_t T = from.size("T", 1, 4), d = from.size("d", 1, 2), dv = from.size("dv", 1, 2);
  Matrix<K> S = from.values(d, dv);
  const Mpfr50 initial = root(square(S)), ratio = root(rho * rho);
  std::vector<Mpfr50> writes;
  Mpfr50 most(0);
  FirstFailure found;
  for (std::size_t t = 0; t < T; ++t) {
    const std::vector<K> k = from.values(d);
    Diagonal<K> lambda = bounded_control(from, d);
    for (K& entry : lambda.lambda) entry = rho * entry;
    const Matrix<K> B = from.values(d, dv);
    S = transition<K>(lambda, k, bounded_strength(from, k)) * S + B;
    writes.push_back(root(square(B)));
    most = std::max(most, writes.back());
    const Mpfr50 size = root(square(S)), slack = (size + Mpfr50(1)) * digits_left;
    const auto below = [&](const Mpfr50& bound) { return !(bound + slack < size); };
    found.note(holds_if(below(state_bound<Mpfr50>(initial, writes)), "above the sum"));
    found.note(holds_if(below(contracting_bound<Mpfr50>(ratio, initial, writes)), "above the contracting sum"));
    if (rho < Rational(1)) found.note(holds_if(below(initial + write_limit<Mpfr50>(ratio, most)), "above the limit"));
  }
  return found.outcome();
}

Law sums_of_writes() {
  return {"sfda.state_stays_below_the_sum_of_its_writes",
          "|lambda| <= 1, 0 <= beta k*k <= 2, |B_i|_F <= b_i: |S_t|_F <= |S_0|_F + sum b_i",
          "[SFDA] Prop. 6.3, eq. 74; [SFDA-notes] s3.3; SFD-054",
          Proof::tested,
          0,
          16,
          {in_fifty_digits([](Source<GaussianRational>& from) { return keeps_bounds(from, Rational(1)); })}};
}

Law contracting_sums() {
  return {
      "sfda.contraction_bounds_the_state_by_a_geometric_sum",
      "|Lambda| <= rho < 1: |S_t|_F <= rho^t |S_0|_F + sum rho^(t-i) b_i <= |S_0|_F + b/(1 - rho); rho = 0 included",
      "[SFDA] Prop. 6.3, eq. 75; [SFDA-notes] s3.3; SFD-055, SFD-056",
      Proof::tested,
      0,
      16,
      {in_fifty_digits([](Source<GaussianRational>& from) {
        const Rational rhos[] = {Rational(0), Rational(1, 2), Rational(9, 10), Rational(99, 100)};
        return keeps_bounds(from, rhos[from.below(4)]);
      })}};
}

/// A = I, B_i = b_i E: norms add up exactly. A = ρ I: the geometric sum, whose limit b/(1 − ρ) is refused at ρ = 1.
Law sums_are_reached() {
  return settled<Rational>("sfda.bounds_of_a_sum_of_writes_are_reached",
                           "A = I or rho I and writes along one direction: |S_t| = |S_0| + sum b_i, and the geometric "
                           "sum; rho = 1 has no limit",
                           "[SFDA] Prop. 6.3, eq. 74-75; [SFDA-notes] s3.3; SFD-054, SFD-055, SFD-056",
                           []<class K>(Source<K>&) {
                             FirstFailure found;
                             for (const K& rho : {K(1), K(1, 2), K(0)}) {
                               const Diagonal<K> lambda{{rho, rho}};
                               Matrix<K> S(2, 1), E(2, 1);
                               E(0, 0) = K(3, 5), E(1, 0) = K(4, 5);
                               S = K(7) * E;
                               std::vector<K> b;
                               for (int t = 1; t <= 6; ++t) {
                                 b.push_back(K(t));
                                 S = lambda.times(S) + b.back() * E;
                               }
                               const K bound = contracting_bound<K>(rho, K(7), b);
                               found.note(same("|S|^2", square(S), K(bound * bound)));
                               if (rho == K(1)) found.note(same("sum", bound, state_bound<K>(K(7), b)));
                             }
                             found.note(same("limit", write_limit<K>(K(9, 10), K(3)), K(30)));
                             found.note(refused("rho = 1", [] { write_limit<K>(K(1), K(1)); }));
                             return found.outcome();
                           });
}

using sfda::unit_key;

/// A unit key over Q(i): a point of the real sphere, each coordinate turned.
std::vector<GaussianRational> unit_key(Source<GaussianRational>& from, std::size_t d) {
  std::vector<GaussianRational> k;
  Rational left(1);
  for (std::size_t i = 0; i < d; ++i) {
    const auto polar_angle = from.angle(), phase = from.angle();
    const Rational size = i + 1 == d ? left : Rational(left * polar_angle.cosine);
    k.push_back({size * phase.cosine, size * phase.sine});
    left = left * polar_angle.sine;
  }
  return k;
}

/// β/(2 − β) |v|² − 2β Re(conj(v − v̂) v̂) − β² |v − v̂|² = β (2 − β) |v̂ − c v|² with c = (1 − β)/(2 − β).
Law tied_growth() {
  return complex_certified_inequality(
      "sfda.a_tied_write_adds_at_most_its_value_in_squares",
      "k*k = 1: |S'|^2 + beta/(2 - beta) |v|^2 - |S|^2 = sum (1 - |lambda|^2) |S'_i|^2 + beta (2 - beta) |v^ - c v|^2, "
      "c = (1 - beta)/(2 - beta)",
      "own, sharper than [SFDA] eq. 74; SFD-057", 30, 12, []<class K>(Source<K>& from) {
        using R = RealOf<K>;
        const std::size_t d = from.size("d", 1, 3), dv = from.size("dv", 1, 2);
        const std::vector<K> k = unit_key(from, d), v = from.values(dv);
        R beta = bounded_real(from);
        if constexpr (OrderedScalar<R>)
          if (beta < R(0)) beta = -beta;
        if (beta == R(2)) throw ZeroDenominator("beta = 2");
        const Diagonal<K> lambda = bounded_control(from, d);
        const Matrix<K> S = from.values(d, dv), after = corrected<K>(S, lambda, k, v, beta);
        const std::vector<K> prediction = predicted<K>(lambda.times(S), k);
        const R c = (R(1) - beta) / (R(2) - beta);
        R distance(0);
        for (std::size_t j = 0; j < dv; ++j) distance = distance + abs2(K(prediction[j] - K(c) * v[j]));
        const R value = norm_of(v);
        const R margin = square(S) + beta / (R(2) - beta) * value - square(after);
        FirstFailure found;
        found.note(same("margin", margin, R(taken(lambda, S) + beta * (R(2) - beta) * distance)));
        if constexpr (OrderedScalar<R>) {
          found.note(holds_if(!(margin < R(0)), "grows by more"));
          const R growth = tied_write_growth(beta, value);
          found.note(same("growth", growth, R(beta / (R(2) - beta) * value)));
          found.note(holds_if(!(value < growth), "grows by more than |v|^2"));
        }
        return found.outcome();
      });
}

/// Each key across the state, β = 1, v = 1: every write adds 1 to |S|².
Outcome growth_is_reached() {
  using R = Mpfr50;
  Matrix<R> S(2, 1);
  S(0, 0) = R(1);
  const Diagonal<R> still = Diagonal<R>::identity(2);
  const std::vector<R> one{R(1)};
  for (int t = 1; t < 10000; ++t) {
    const R size = sqrt(R(S(0, 0) * S(0, 0) + S(1, 0) * S(1, 0)));
    const std::vector<R> k{R(-S(1, 0) / size), R(S(0, 0) / size)};
    S = corrected<R>(S, still, k, one, R(1));
  }
  const R size = sqrt(R(S(0, 0) * S(0, 0) + S(1, 0) * S(1, 0)));
  return holds_if(abs(size - 100) < digits_left, "norm " + text_of(size) + " after 10^4 writes of norm 1");
}

/// σ(x) = 1/(1 + e^{−x}), tanh and a key over its norm: β ‖k‖² = σ < 1 for every finite logit.
Outcome stable_parameters() {
  using R = Mpfr50;
  for (int n = -100; n <= 100; ++n) {
    const R x = R(n) / 2, sigmoid = 1 / (1 + exp(-x)), angle = tanh(x);
    std::vector<R> k{R(n) + R(1) / 3, R(2), R(-n) / 7};
    R norm(0), unit(0);
    for (const R& entry : k) norm += entry * entry;
    for (const R& entry : k) unit += entry * entry / norm;
    const R strength = sigmoid * unit;
    if (!(sigmoid > 0 && sigmoid < 1 && abs(angle) < 1 && strength > 0 && strength <= 1))
      return Outcome::fails(fmt::format("logit {}", x.convert_to<double>()));
  }
  return Outcome::holds("logits -50 ... 50: 0 < sigmoid < 1, beta |k|^2 <= 1");
}

/// 1 rounds what lies within half an ulp below it: 1 − σ ≤ 2^-25; to 0 rounds what is at most half of 2^-149.
Outcome float_sigmoid() {
  using R = Mpfr50;
  const auto sigmoid = [](const R& x) { return R(1 / (1 + exp(-x))); };
  const auto rounds_to_one = [&](const R& x) { return 1 - sigmoid(x) <= ldexp(R(1), -25); };
  const auto rounds_to_zero = [&](const R& x) { return sigmoid(x) <= ldexp(R(1), -150); };
  const R hundredth = R(1) / 100;
  return all_of(
      {holds_if(rounds_to_one(1733 * hundredth) && !rounds_to_one(1732 * hundredth), "1 is not reached at 17.33"),
       holds_if(rounds_to_zero(-10398 * hundredth) && !rounds_to_zero(-10397 * hundredth),
                "0 is not reached at -103.98")});
}

}  // namespace

std::vector<Law> sfda_stability_laws() {
  const auto tested = [](Law law) {
    law.proof = Proof::tested;
    return law;
  };
  return {
      non_expansive(),
      unitary_control(),
      spectrum(),
      erasure_norm_is_sharp(),
      sums_of_writes(),
      contracting_sums(),
      sums_are_reached(),
      tied_growth(),
      tested(enumerated("sfda.tied_unit_writes_reach_the_root_of_their_number",
                        "d = 2, beta = 1, each unit key across the state: norm 100 after 10^4 writes of norm 1",
                        "own, on [SFDA] eq. 74; SFD-057", "MPFR 50 digits", growth_is_reached)),
      tested(enumerated("sfda.stable_parameters_stay_inside_the_bound",
                        "alpha, beta by sigmoid, theta by tanh, k over its norm: beta |k|^2 <= 1, no end point reached",
                        "[SFDA] eq. 15-18; [SFDA-notes] s3.3; SFD-058, SFD-059", "MPFR 50 digits", stable_parameters)),
      enumerated("sfda.float32_sigmoid_reaches_its_ends",
                 "correctly rounded: 1 from x = 17.33 on (not at 17.32), 0 from -103.98 on (not at -103.97)",
                 "own, on [SFDA] eq. 15-18; SFD-059", "MPFR 50 digits", float_sigmoid)};
}

}  // namespace assay
