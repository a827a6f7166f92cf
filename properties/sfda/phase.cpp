#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <vector>

#include <boost/math/constants/constants.hpp>
#include <fmt/format.h>

#include "arith/multiprecision.hpp"
#include "oracle/sfda/decay_phase.hpp"
#include "oracle/sfda/phase_counter.hpp"
#include "oracle/sfda/realification.hpp"
#include "properties/enumerated.hpp"
#include "properties/identity.hpp"
#include "properties/same.hpp"
#include "properties/sfda/inputs.hpp"
#include "properties/sfda/laws.hpp"

namespace assay {
namespace {

using namespace sfda;

constexpr std::int64_t longest = 5;

Law zero_start() {
  return complex_identity("sfda.a_zero_start_without_writes_stays_zero",
                          "S_0 = 0 and beta = 0 or v = 0: S_t = 0 for every kind of Lambda",
                          "[SFDA-notes] s2.2; SFD-010", longest * token_degree + 1, 8, []<class K>(Source<K>& from) {
                            const std::size_t T = from.size("T", 0, longest), d = from.size("d", 1, 5), dv = 2;
                            FirstFailure found;
                            for_every_control(from, d, [&](std::string_view name, auto draw) {
                              auto x = tokens_with(from, T, d, dv, draw);
                              x.v = Matrix<K>(T, dv);
                              const Matrix<K> zero(d, dv);
                              found.note(same(name, recurrence(x, zero).S, zero));
                              x.v = from.values(T, dv);
                              x.beta.assign(T, RealOf<K>(0));
                              found.note(same(name, recurrence(x, zero).S, zero));
                            });
                            return found.outcome();
                          });
}

/// Keys without coordinate j: row j of S turns by its own λ alone, and the rest is a head of d − 1 coordinates.
Law shared_head() {
  return complex_generic_identity(
      "sfda.a_coordinate_that_no_key_touches_turns_freely",
      "k_j = 0 at any beta: S_j = (prod lambda_j) S_0j and the other rows do not see it; with k_j != 0 it is disturbed",
      "own, refines [SFDA] Prop. 3.4; SFD-011", longest * token_degree + 1, 8, []<class K>(Source<K>& from) {
        const std::size_t T = from.size("T", 1, longest), d = from.size("d", 2, 5), dv = from.size("dv", 1, 3);
        Tokens<K> x = diagonal_tokens(from, T, d, dv), disturbed = x;
        Matrix<K> S = from.values(d, dv), other = S;
        std::vector<K> turned(S.row(0).begin(), S.row(0).end());
        for (std::size_t t = 0; t < T; ++t) {
          x.k(t, 0) = K(0);
          for (K& entry : turned) entry = x.lambda[t].lambda[0] * entry;
        }
        for (K& entry : other.row(0)) entry = from.free();
        const Run<K> run = recurrence(x, S), with_other = recurrence(x, other);
        FirstFailure found;
        found.note(same<K>("S_0", run.S.row(0), turned));
        for (std::size_t i = 1; i < d; ++i) found.note(same<K>("S_i", with_other.S.row(i), run.S.row(i)));
        const Matrix<K> touched = recurrence(disturbed, S).S;
        found.note(differs("k_0 != 0", std::vector<K>(touched.row(0).begin(), touched.row(0).end()), turned));
        return found.outcome();
      });
}

Law real_form() {
  return complex_identity(
      "sfda.complex_factor_is_a_scaled_rotation_of_its_pair",
      "alpha e^{i theta} (x + iy) and alpha R(theta) (x, y)^T; R(Lambda) for all d coordinates; both commute with J",
      "[SFDA] Prop. 3.3, Lemma A.1; [SFDA-notes] s2.2; SFD-012", 6, 12, []<class K>(Source<K>& from) {
        using R = RealOf<K>;
        const std::size_t d = from.size("d", 1, 4);
        const std::vector<R> alpha = from.reals(d);
        const std::vector<CircleAngle<R>> theta = from.angles(d);
        const Diagonal<K> lambda = decay_and_phase<CircleAngle<R>, R>(alpha, theta);
        const Matrix<K> x = from.values(d, 1);
        const Matrix<R> turned = packed(lambda.times(x)), real = realified(dense<K>(lambda));
        const Matrix<R> J = imaginary_unit<R>(d);
        FirstFailure found;
        for (std::size_t i = 0; i < d; ++i) {
          const PairBlock<R> block = rotation(theta[i], alpha[i]);
          found.note(same("x", turned(i, 0), R(block.a * x(i, 0).re + block.b * x(i, 0).im)));
          found.note(same("y", turned(d + i, 0), R(block.c * x(i, 0).re + block.d * x(i, 0).im)));
        }
        found.note(same("R(Lambda)", real * packed(x), turned));
        found.note(same("J R(Lambda)", J * real, real * J));
        return found.outcome();
      });
}

Law shared_decay() {
  return generic_identity(
      "sfda.both_coordinates_of_a_pair_must_share_their_decay",
      "diag(a, a') R(theta) commutes with J iff a = a': only then is it multiplication by a complex number",
      "[SFDA] Prop. 3.3, Lemma A.1; [SFDA-notes] s2.2; SFD-012", 6, 8, []<class K>(Source<K>& from) {
        const K alpha = from.free(), other = from.free();
        const PairBlock<K> turn = rotation(from.angle()), J{K(0), K(-1), K(1), K(0)};
        const PairBlock<K> shared = PairBlock<K>{alpha, K(0), K(0), alpha} * turn;
        const PairBlock<K> split = PairBlock<K>{alpha, K(0), K(0), other} * turn;
        return all_of({holds_if(J * shared == shared * J, "shared decay does not commute with J"),
                       differs("two decays", J * split, split * J)});
      });
}

Law products_of_phases() {
  return complex_identity(
      "sfda.products_of_diagonal_controls_are_diagonal",
      "polar(a, s) polar(b, t) = polar(ab, s + t), entry by entry; the product of Lambda as matrices has no other "
      "entry",
      "[SFDA] s1; [SFDA-notes] s1; SFD-014, SFD-017", 8, 8, []<class K>(Source<K>& from) {
        using R = RealOf<K>;
        const std::size_t d = from.size("d", 1, 5);
        const std::vector<R> a = from.reals(d), b = from.reals(d);
        const std::vector<CircleAngle<R>> s = from.angles(d), t = from.angles(d);
        const auto first = decay_and_phase<CircleAngle<R>, R>(a, s), second = decay_and_phase<CircleAngle<R>, R>(b, t);
        FirstFailure found;
        found.note(same("product", dense<K>(second) * dense<K>(first), dense<K>(second * first)));
        for (std::size_t i = 0; i < d; ++i)
          found.note(same("lambda", (second * first).lambda[i], polar(R(a[i] * b[i]), s[i] + t[i])));
        return found.outcome();
      });
}

/// Prototype 0 beats prototype j at an angle error ε: cos ε − cos(2h − ε) = 2 sin h sin(h − ε) with h = πj/m. For
/// 0 < j < m and |ε| < π/m both sines are positive; at ε = π/m the second vanishes for j = 1.
Law decoder_margin() {
  return identity(
      "sfda.margin_of_the_nearest_phase_is_a_product_of_sines",
      "cos e - cos(2h - e) = 2 sin h sin(h - e): positive for h = pi j/m, 0 < j < m, |e| < pi/m, zero at e = pi/m",
      "[SFDA-notes] s2.2, s3.4, s4.3; SFD-015, SFD-105", 8, 8, []<class K>(Source<K>& from) {
        const CircleAngle<K> h = from.angle(), e = from.angle();
        return same("margin", K(cos(e) - cos(h + h - e)), K(K(2) * sin(h) * sin(h - e)));
      });
}

/// Fifty digits: angles are off by far less than the 2^-40 by which they miss the threshold.
Outcome decoder_threshold() {
  using R = Mpfr50;
  const R pi = boost::math::constants::pi<R>(), margin = R(1) / R(std::int64_t{1} << 40);
  const auto point = [](const R& angle) { return Cx<R>(cos(angle), sin(angle)); };
  R last_chord(3);
  for (const int m : {2, 3, 4, 5, 6, 7, 8, 12, 16, 31, 64}) {
    std::vector<Cx<R>> prototypes;
    for (int j = 0; j < m; ++j) prototypes.push_back(point(2 * pi * j / m));
    for (int j = 0; j < m; ++j)
      for (const int side : {1, -1}) {
        const auto decoded = [&](const R& share) {
          return nearest_phase<R>(point((2 * pi * j + side * share * pi) / m), prototypes);
        };
        const auto neighbour = static_cast<std::size_t>((j + side + m) % m);
        if (decoded(1 - margin) != static_cast<std::size_t>(j) || decoded(1 + margin) != neighbour)
          return Outcome::fails(fmt::format("m = {}, phase {}", m, j));
      }
    const Cx<R> difference = prototypes[1] - prototypes[0];
    const R chord = sqrt(abs2(difference));
    if (abs(chord - 2 * sin(pi / m)) > margin || !(chord < last_chord))
      return Outcome::fails(fmt::format("chord at m = {}", m));
    last_chord = chord;
  }
  return Outcome::holds(fmt::format("eleven m up to 64; chord at 64: {:.4f}", last_chord.convert_to<double>()));
}

/// Without erasure and with |λ| = 1 the state holds keys turned back to the start: o_t = Σ v_j (k̃_j* q̃_t) with
/// q̃_t = Γ_t* q_t, k̃_j = Γ_j* k_j, each angle of a query and its key.
Law rotary() {
  // q, k, v, and 2T points of degree 2 over the denominators of T steps in 3 coordinates, squared.
  const std::uint32_t degree = 3 + 4 * longest + 3 * 4 * longest;
  return complex_generic_identity(
      "sfda.rotation_without_erasure_is_rotary_linear_attention",
      "S_t = Lambda_t S_{t-1} + k v*, |lambda| = 1: o_t = sum_j v_j <rotated k_j, rotated q_t>; not so with erasure",
      "own, on [SFDA] s2.3; [SFDA-notes] s1; SFD-018", degree, 6, []<class K>(Source<K>& from) {
        using R = RealOf<K>;
        const std::size_t T = from.size("T", 2, longest), d = from.size("d", 1, 3), dv = from.size("dv", 1, 3);
        Tokens<K> x = diagonal_tokens(from, T, d, dv);
        const std::vector<R> unit(d, R(1));
        for (auto& lambda : x.lambda) lambda = decay_and_phase<CircleAngle<R>, R>(unit, from.angles(d));
        x.beta.assign(T, R(1));
        Diagonal<K> gamma = Diagonal<K>::identity(d);
        Matrix<K> S(d, dv), keys(T, d), o(T, dv), want(T, dv);
        for (std::size_t t = 0; t < T; ++t) {
          S = x.lambda[t].times(S) + write<K>(x.k.row(t), x.v.row(t), R(1));
          std::ranges::copy(read(S, std::span<const K>(x.q.row(t))), o.row(t).begin());
          gamma = x.lambda[t] * gamma;
          const Matrix<K> q = gamma.adjoint_times(column<K>(x.q.row(t))),
                          k = gamma.adjoint_times(column<K>(x.k.row(t)));
          for (std::size_t i = 0; i < d; ++i) keys(t, i) = k(i, 0);
          for (std::size_t j = 0; j <= t; ++j) {
            const K score = (adjoint(column<K>(keys.row(j))) * q)(0, 0);
            for (std::size_t c = 0; c < dv; ++c) want(t, c) = want(t, c) + score * x.v(j, c);
          }
        }
        return all_of({same("o", o, want), differs("with erasure", recurrence(x, Matrix<K>(d, dv)).o, want)});
      });
}

}  // namespace

std::vector<Law> sfda_phase_laws() {
  Law threshold =
      enumerated("sfda.nearest_phase_is_right_below_half_the_gap_and_wrong_beyond",
                 "angle errors of (1 -+ 2^-40) pi/m, eleven m from 2 to 64; adjacent phases are 2 sin(pi/m) apart",
                 "[SFDA] App. G.2; [SFDA-notes] s2.2, s3.4; SFD-015, SFD-065", "MPFR 50 digits", decoder_threshold);
  threshold.proof = Proof::tested;
  return {zero_start(),         shared_head(),    real_form(), shared_decay(),
          products_of_phases(), decoder_margin(), threshold,   rotary()};
}

}  // namespace assay
