#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "arith/multiprecision.hpp"
#include "oracle/sfda/recurrence.hpp"
#include "oracle/sfda/stability.hpp"
#include "properties/enumerated.hpp"
#include "properties/identity.hpp"
#include "properties/same.hpp"
#include "properties/sfda/bounded_inputs.hpp"
#include "properties/sfda/laws.hpp"

namespace assay {
namespace {

using namespace sfda;

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
                             found.note(refused("rho = -1", [] { contracting_bound<K>(K(-1), K(1), {}); }));
                             found.note(refused("beta = 2", [] { tied_write_growth<K>(K(2), K(1)); }));
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
      "own, sharper than [SFDA] eq. 74; SFD-057", unit_key_degree * 12, 12, []<class K>(Source<K>& from) {
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

}  // namespace

std::vector<Law> sfda_state_bounds_laws() {
  Law reached = enumerated("sfda.tied_unit_writes_reach_the_root_of_their_number",
                           "d = 2, beta = 1, each unit key across the state: norm 100 after 10^4 writes of norm 1",
                           "own, on [SFDA] eq. 74; SFD-057", "MPFR 50 digits", growth_is_reached);
  reached.proof = Proof::tested;
  return {sums_of_writes(), contracting_sums(), sums_are_reached(), tied_growth(), reached};
}

}  // namespace assay
