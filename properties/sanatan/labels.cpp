#include "oracle/sanatan/labels.hpp"

#include <cmath>

#include "arith/dual.hpp"
#include "oracle/axioms.hpp"
#include "oracle/sanatan/attention.hpp"
#include "oracle/sanatan/features.hpp"
#include "oracle/sanatan/recurrence.hpp"
#include "oracle/sanatan/rotation.hpp"
#include "oracle/sanatan/scores.hpp"
#include "oracle/sanatan/squash.hpp"
#include "properties/identity.hpp"
#include "properties/same.hpp"
#include "properties/sanatan/laws.hpp"

namespace assay {
namespace {

using namespace sanatan;

/// φ(u) / π over an ordered field.
template <OrderedScalar K>
K squash_over_pi(const K& u) {
  return squash<K>(u, axiom::magnitude(u < K(0) ? -1 : 1, u), K(1));
}

/// κ(θ_q at position t, θ_k at position j) in one dimension, with labels from `label_q`, `label_k`.
template <class K>
K score_of(const CircleAngle<K>& q, const K& label_q, const CircleAngle<K>& k, const K& label_k) {
  return dimension_score(Channels::six, K(label_q * label_k), (q - k).cosine);
}

Law shapes() {
  return settled<Rational>(
      "sanatan.shapes_follow_channels_d_and_dv", "Phi [T, c d], S [c d, dv], z [c d]; other shapes are refused",
      "[SANATAN-notes] s2.2; SAN-008", []<class K>(Source<K>& from) {
        for (const auto& [d, dv] : {std::pair<std::size_t, std::size_t>{1, 1}, {1, 3}, {3, 2}, {64, 5}}) {
          const AngleParameters<CircleAngle<K>, K> head{from.angles(d), from.angles(d), K(10)};
          const axiom::Tanh<K> tanh([&] { return from.free(); });
          const auto x = encode(from.angles(2, d), head, 0, tanh);
          for (const Channels channels : {Channels::six, Channels::four, Channels::three}) {
            const Matrix<K> phi = features(channels, x), v = from.values(2, dv), short_v = from.values(1, dv);
            const Run<K> run = recurrence(phi, phi, v, empty_state<K>(phi.cols(), dv));
            const Outcome outcome =
                all_of({same("features", phi.cols(), count(channels) * d),
                        same("S rows", run.state.S.rows(), phi.cols()), same("S columns", run.state.S.cols(), dv),
                        same("z", run.state.z.size(), phi.cols()), same("o", run.sums.numerator.cols(), dv),
                        refused("a state of other width",
                                [&] { recurrence(phi, phi, v, empty_state<K>(1 + phi.cols(), dv)); }),
                        refused("fewer values than keys", [&] { recurrence(phi, phi, short_v, run.state); }),
                        refused("omega of other width", [&] { encode(from.angles(2, d + 1), head, 0, tanh); })});
            if (outcome.kind != Outcome::Kind::holds) return outcome;
          }
        }
        return Outcome::holds();
      });
}

Law scale_of_projection() {
  const std::uint32_t degree = 18;  // weights of two scores: (s c)^4 on both sides, times the other denominator
  return generic_identity("sanatan.the_scale_of_q_moves_angles_and_is_no_temperature",
                          "scores times a constant leave normalised weights alone (eps = 0); q/2 does not halve phi(q)",
                          "[SANATAN-notes] s2.2; SAN-009", degree, 8, []<class K>(Source<K>& from) {
                            const std::size_t T = from.size("T", 1, 4);
                            const Matrix<K> s = from.values(T, T), v = from.values(T, 1);
                            const K factor = from.nonzero();
                            for (int p = 1; p <= 4; ++p) {
                              const WeightRule<K> rule{p, K(1), K(0)};
                              if (Outcome o = same("o", attention(factor * s, v, rule), attention(s, v, rule));
                                  o.kind != Outcome::Kind::holds)
                                return o;
                            }
                            const K u = from.value(), half = K(1) / K(2);
                            return differs("half the argument halves phi", squash(half * u, half * u, K(1)),
                                           half * squash(u, u, K(1)));
                          });
}

Law squash_range() {
  return inequality("sanatan.squash_is_odd_increasing_and_inside_pi",
                    "phi/pi: odd, strictly increasing, onto (-1, 1) with inverse x/(1 - |x|)",
                    "[SANATAN] s3.1; [SANATAN-post]; SAN-010", 64, []<class K>(Source<K>& from) {
                      const K u = from.value(), step = from.nonzero(), further = u + step * step;
                      const K x = squash_over_pi(u), magnitude = squash_over_pi(u < K(0) ? -u : u);
                      return all_of({same("phi(-u)", squash_over_pi<K>(-u), K(-x)),
                                     holds_if(x < squash_over_pi(further), "not increasing at " + text_of(u)),
                                     holds_if(K(-1) < x && x < K(1), "reaches an end at " + text_of(u)),
                                     same("inverse", unsquash<K>(x, magnitude, K(1)), u),
                                     same("phi(1)", squash_over_pi(K(1)), K(K(1) / K(2))),
                                     same("phi(0)", squash_over_pi(K(0)), K(0))});
                    });
}

/// At |u| = 2^24 the sum 1 + |u| rounds to |u|. Below, 1 + |u| is exact for |u| ≥ 2^23 and the quotient is at most
/// 1 − 2^−24, a binary32 number.
Law squash_in_float() {
  return settled<Rational>("sanatan.float32_squash_reaches_its_ends",
                           "in binary32 u/(1+|u|) = 1 at u = 2^24 and 2^100, and < 1 at every integer in [2^23, 2^24)",
                           "[SANATAN-notes] s2.2; SAN-010", []<class K>(Source<K>&) {
                             for (float u = 0x1p23F; u < 0x1p24F; u += 1)
                               if (!(squash(u, u, 1.0F) < 1.0F)) return Outcome::fails("1 at " + std::to_string(u));
                             return all_of({same("phi(2^24)/pi", squash(0x1p24F, 0x1p24F, 1.0F), 1.0F),
                                            same("phi(-2^24)/pi", squash(-0x1p24F, 0x1p24F, 1.0F), -1.0F),
                                            same("phi(2^100)/pi", squash(0x1p100F, 0x1p100F, 1.0F), 1.0F)});
                           });
}

Law squash_smoothness() {
  return settled<Rational>(
      "sanatan.squash_is_once_but_not_twice_differentiable", "phi'(0+-) = pi, phi''(0+) = -2 pi, phi''(0-) = +2 pi",
      "[SANATAN-notes] s2.2; SAN-011", []<class K>(Source<K>&) {
        using D = Dual<Dual<K>>;
        const D at_zero(Dual<K>(K(0), K(1)), Dual<K>(K(1), K(0)));
        for (const int side : {1, -1}) {
          const D y = squash(at_zero, axiom::magnitude(side, at_zero), D(1));
          const Outcome outcome = all_of({same("phi'", y.tangent.value, K(1)), same("phi'", y.value.tangent, K(1)),
                                          same("phi''", y.tangent.tangent, K(-2 * side))});
          if (outcome.kind != Outcome::Kind::holds) return outcome;
        }
        return Outcome::holds();
      });
}

Law squash_limits() {
  return inequality("sanatan.squash_is_linear_near_zero_and_saturates",
                    "|phi(u) - pi u| = pi u^2/(1+|u|) <= pi u^2; pi - |phi(u)| = pi/(1+|u|)",
                    "[SANATAN-notes] s2.2; SAN-012", 32, []<class K>(Source<K>& from) {
                      const K u = from.value(), size = u < K(0) ? K(-u) : u, x = squash_over_pi(size);
                      return all_of({same("pi u - phi", K(size - x), K(u * u / (K(1) + size))),
                                     holds_if(size - x <= u * u, "above pi u^2 at " + text_of(u)),
                                     same("pi - phi", K(K(1) - x), K(K(1) / (K(1) + size)))});
                    });
}

Law squash_derivative() {
  const std::uint32_t degree = 6;
  return identity("sanatan.squash_slope_is_the_derivative", "phi' = pi/(1+|u|)^2 on both branches of |u|",
                  "[SANATAN-notes] s2.2; SAN-011", degree, 16, []<class K>(Source<K>& from) {
                    const Dual<K> u(from.value(), from.value());
                    const K pi = from.free();
                    const int side = from.below(2) == 0 ? 1 : -1;
                    const Dual<K> size = axiom::magnitude(side, u);
                    if (size.value == K(-1)) return Outcome::rejected("1 + |u| = 0");
                    return same("tangent", squash(u, size, Dual<K>(pi)).tangent,
                                K(squash_slope(size.value, pi) * u.tangent));
                  });
}

Law coefficient_bound() {
  const std::uint32_t degree = 4;
  return identity(
      "sanatan.label_argument_is_at_most_gamma_root_two",
      "(cos a - sin a)^2 + (cos a + sin a)^2 = 2 and cos a - sin a = sqrt2 cos(a + pi/4)",
      "[SANATAN] s3.1; [SANATAN-notes] s2.2; SAN-013, SAN-014", degree, 16, []<class K>(Source<K>& from) {
        const CircleAngle<K> a = from.angle();
        const K difference = root_coefficient(a), sum = a.cosine + a.sine;
        return all_of({same("sum of squares", K(difference * difference + sum * sum), K(2)),
                       same("coefficient", difference, K(square_root_of_two<K>() * (a + eighth_turn<K>()).cosine))});
      });
}

/// cos x = sin x on the circle means 2 cos² x = 1: x = π/4 or π/4 + π and no other point.
Law boundary() {
  const std::uint32_t degree = 8;
  return identity("sanatan.label_boundary_is_a_quarter_turn_minus_the_anchor",
                  "r = 0 at a = pi/4 - omega and at a + pi, and where cos(a+omega) = sin(a+omega) nowhere else",
                  "[SANATAN-notes] s2.2; SAN-014", degree, 16, []<class K>(Source<K>& from) {
                    const axiom::Tanh<K> tanh([&] { return from.nonzero(); });
                    const CircleAngle<K> omega = from.angle(), half_turn{K(-1), K(0)};
                    const CircleAngle<K> edge = eighth_turn<K>() - omega, other = from.angle();
                    const K gamma = from.nonzero();
                    const bool on_boundary = other == edge || other == edge + half_turn;
                    return all_of({same("r", label(edge, omega, gamma, tanh), K(0)),
                                   same("r", label(edge + half_turn, omega, gamma, tanh), K(0)),
                                   holds_if((label(other, omega, gamma, tanh) == K(0)) == on_boundary,
                                            "a third point of the boundary")});
                  });
}

Law quarter_anchor() {
  const std::uint32_t degree = 2;
  return identity(
      "sanatan.anchor_at_an_eighth_turn_labels_by_minus_the_sine",
      "omega = pi/4: cos(a+omega) - sin(a+omega) = -sqrt2 sin a, 0 at a = 0 and a = pi",
      "[SANATAN] s2.2; [SANATAN-notes] s2.2; SAN-015", degree, 16, []<class K>(Source<K>& from) {
        const CircleAngle<K> a = from.angle(), half_turn{K(-1), K(0)}, omega = eighth_turn<K>();
        return all_of({same("coefficient", root_coefficient(a + omega), K(-square_root_of_two<K>() * a.sine)),
                       same("at 0", root_coefficient(omega), K(0)),
                       same("at pi", root_coefficient(half_turn + omega), K(0))});
      });
}

Law swapped_labels() {
  const std::uint32_t degree = 12;  // a score of circle coordinates and labels
  return generic_identity("sanatan.swapping_all_labels_leaves_the_kernel",
                          "r -> -r on both sides keeps every score; on one side it does not",
                          "[SANATAN-notes] s2.2; SAN-017", degree, 16, []<class K>(Source<K>& from) {
                            const std::size_t d = from.size("d", 1, 6);
                            const auto encoding = [&] {
                              return Encoding<K>{from.values(3, d), from.values(3, d), from.values(3, d)};
                            };
                            const Encoding<K> q = encoding(), k = encoding();
                            const auto swapped = [](Encoding<K> x) {
                              x.label = K(-1) * x.label;
                              return features(Channels::six, x);
                            };
                            const Matrix<K> phi_q = features(Channels::six, q), phi_k = features(Channels::six, k);
                            const Matrix<K> s = scores(phi_q, phi_k);
                            return all_of({same("scores", scores(swapped(q), swapped(k)), s),
                                           differs("only queries swapped", scores(swapped(q), phi_k), s),
                                           differs("only keys swapped", scores(phi_q, swapped(k)), s)});
                          });
}

Law frequency_range() {
  return inequality("sanatan.rotation_frequency_stays_below_its_maximum",
                    "|lambda_max tanh(x)| < lambda_max as |tanh| < 1; 2047 steps of 1/100 turn by 20.47",
                    "[SANATAN] s3.2; [SANATAN-notes] s2.2; SAN-018", 32, []<class K>(Source<K>& from) {
                      const K maximum = K(1) / K(100), raw = from.value();
                      const K lambda = frequency(raw, maximum, [](const K& x) { return squash_over_pi(x); });
                      return all_of({holds_if(-maximum < lambda && lambda < maximum, "lambda = " + text_of(lambda)),
                                     same("turn at t = 2047", rotated(K(0), 2047, maximum), K(K(2047) / K(100)))});
                    });
}

Law relative_positions() {
  const std::uint32_t degree = 132;  // both sides: angles of degree 2 turned at most 16 + 8 steps, degree 2 a step
  return generic_identity(
      "sanatan.phase_difference_sees_only_the_distance",
      "rot(q, t) - rot(k, j) = q - k + (t - j) lambda; with lambda_q != lambda_k it sees j too",
      "[SANATAN] App. A eq. 10-14; [SANATAN-notes] s2.2; SAN-019", degree, 16, []<class K>(Source<K>& from) {
        const auto t = static_cast<std::int64_t>(from.size("t", 0, 16));
        const auto j = static_cast<std::int64_t>(from.size("j", 0, 16));
        const CircleAngle<K> q = from.angle(), k = from.angle(), lambda = from.angle(), other = from.angle();
        const auto difference = [&](std::int64_t t, std::int64_t j, const CircleAngle<K>& lambda_k) {
          return rotated(q, t, lambda) - rotated(k, j, lambda_k);
        };
        return all_of(
            {same("cos", difference(t, j, lambda).cosine, (q - k + multiple(t - j, lambda)).cosine),
             same("sin", difference(t, j, lambda).sine, (q - k + multiple(t - j, lambda)).sine),
             holds_if(difference(t + 3, j + 3, lambda) == difference(t, j, lambda), "moved by a shift"),
             differs("lambda of its own for keys", difference(t + 3, j + 3, other), difference(t, j, other))});
      });
}

template <class K>
struct ShiftTrial {
  CircleAngle<K> q, k, omega, lambda;
  K gamma;
  axiom::Tanh<K> tanh;

  explicit ShiftTrial(Source<K>& from)
      : q(from.angle()),
        k(from.angle()),
        omega(from.angle()),
        lambda(from.angle()),
        gamma(from.nonzero()),
        tanh([&from] { return from.free(); }) {}

  K content_label(const CircleAngle<K>& theta) const { return label(theta, omega, gamma, tanh); }

  K label_before(std::int64_t t, std::int64_t j) const {
    return score_of(rotated(q, t, lambda), content_label(q), rotated(k, j, lambda), content_label(k));
  }
  K label_after(std::int64_t t, std::int64_t j) const {
    const CircleAngle<K> turned_q = rotated(q, t, lambda), turned_k = rotated(k, j, lambda);
    return score_of(turned_q, content_label(turned_q), turned_k, content_label(turned_k));
  }
};

Law labels_before_rotation() {
  const std::uint32_t degree = 132;  // as phase_difference_sees_only_the_distance; labels are free
  return generic_identity("sanatan.labels_before_rotation_keep_shift_invariance",
                          "kappa(t + n, j + n) = kappa(t, j) when r is taken from the content angle",
                          "[SANATAN] s3.2; [SANATAN-notes] s2.2; SAN-020", degree, 16, []<class K>(Source<K>& from) {
                            const ShiftTrial<K> trial(from);
                            const auto n = static_cast<std::int64_t>(from.size("n", 1, 16));
                            return same("score", trial.label_before(5 + n, 2 + n), trial.label_before(5, 2));
                          });
}

Law labels_after_rotation() {
  const std::uint32_t degree = 132;
  return generic_identity("sanatan.labels_after_rotation_break_shift_invariance",
                          "with r taken from the rotated angle kappa(t + n, j + n) != kappa(t, j), unless lambda = 0",
                          "[SANATAN] s3.2; [SANATAN-notes] s2.2; SAN-020", degree, 16, []<class K>(Source<K>& from) {
                            ShiftTrial<K> trial(from);
                            const auto n = static_cast<std::int64_t>(from.size("n", 1, 16));
                            const Outcome control = differs("labels after rotation", trial.label_after(5 + n, 2 + n),
                                                            trial.label_after(5, 2));
                            trial.lambda = {K(1), K(0)};
                            return all_of({control, same("score at lambda = 0", trial.label_after(5 + n, 2 + n),
                                                         trial.label_before(5, 2))});
                          });
}

Law position_table() {
  const std::uint32_t degree = 16;
  return generic_identity(
      "sanatan.a_position_table_breaks_shift_invariance",
      "content angles moved by a table P[t] make kappa(t + n, j + n) != kappa(t, j); an empty table does not",
      "[SANATAN-notes] s2.2, s3.2; SAN-021", degree, 16, []<class K>(Source<K>& from) {
        const ShiftTrial<K> trial(from);
        const std::vector<CircleAngle<K>> table = from.angles(8), empty(8);
        const auto score = [&](std::size_t t, std::size_t j, const std::vector<CircleAngle<K>>& p) {
          ShiftTrial<K> moved = trial;
          moved.q = trial.q + p.at(t);
          moved.k = trial.k + p.at(j);
          return moved.label_before(static_cast<std::int64_t>(t), static_cast<std::int64_t>(j));
        };
        return all_of({same("score without a table", score(7, 4, empty), score(5, 2, empty)),
                       differs("a position table", score(7, 4, table), score(5, 2, table))});
      });
}

}  // namespace

std::vector<Law> sanatan_labels_laws() {
  return {shapes(),
          scale_of_projection(),
          squash_range(),
          squash_in_float(),
          squash_smoothness(),
          squash_limits(),
          squash_derivative(),
          coefficient_bound(),
          boundary(),
          quarter_anchor(),
          swapped_labels(),
          frequency_range(),
          relative_positions(),
          labels_before_rotation(),
          labels_after_rotation(),
          position_table()};
}

}  // namespace assay
