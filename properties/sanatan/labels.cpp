#include "oracle/sanatan/labels.hpp"

#include "arith/multiprecision.hpp"
#include "oracle/axioms.hpp"
#include "oracle/sanatan/features.hpp"
#include "oracle/sanatan/scores.hpp"
#include "oracle/sanatan/squash.hpp"
#include "properties/identity.hpp"
#include "properties/same.hpp"
#include "properties/sanatan/laws.hpp"

namespace assay {
namespace {

using namespace sanatan;

Law coefficient_bound() {
  const std::uint32_t degree = 4;
  return identity(
      "sanatan.label_argument_is_at_most_gamma_root_two",
      "(cos a - sin a)^2 + (cos a + sin a)^2 = 2 and cos a - sin a = sqrt2 cos(a + pi/4)",
      "[SANATAN] s3.1-3.2; [SANATAN-notes] s2.2; SAN-013, SAN-014", degree, 16, []<class K>(Source<K>& from) {
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

/// θ in (−π, π) is 2 arctan t with t of the sign of θ; tanh keeps the sign of its argument.
Law quarter_anchor() {
  const std::uint32_t degree = 4;
  return identity(
      "sanatan.anchor_at_an_eighth_turn_labels_by_minus_the_sine",
      "omega = pi/4: cos(a+omega) - sin(a+omega) = -sqrt2 sin a = -2 sqrt2 t/(1+t^2), t = tan(a/2), so r has "
      "the sign of -a on (-pi, pi); 0 at a = 0 and a = pi",
      "[SANATAN] s3.1-3.2; [SANATAN-notes] s2.2; SAN-015", degree, 16, []<class K>(Source<K>& from) {
        const K t = from.value(), norm = K(1) + t * t;
        const CircleAngle<K> a = rational_angle(t), half_turn{K(-1), K(0)}, omega = eighth_turn<K>();
        return all_of({same("coefficient", root_coefficient(a + omega), K(-square_root_of_two<K>() * a.sine)),
                       same("sine", K(a.sine * norm), K(t + t)), same("at 0", root_coefficient(omega), K(0)),
                       same("at pi", root_coefficient(half_turn + omega), K(0))});
      });
}

/// n/16, n != 0: the argument of the label is sqrt2 sin θ times 10 in size, far above the rounding of 334 bits.
Law opposite_sign() {
  using Real = Mpfr100;
  return {"sanatan.anchor_at_an_eighth_turn_labels_opposite_to_the_angle",
          "omega = pi/4, gamma = 10: r has the sign of -u for u != 0, and fades for |u| = 2^10 against |u| = 1",
          "[SANATAN] s3.1-3.2; [SANATAN-notes] s2.2; SAN-015",
          Proof::tested,
          0,
          32,
          {{arithmetic_name<Real>(), 0, [](Draw& draw) {
              const Real pi = acos(Real(-1)), size = Real(draw.size("16 |u|", 1, 512)) / 16;
              const auto at = [&](const Real& u) {
                return label<Real, Real>(squash<Real>(u, abs(u), pi), pi / 4, Real(10));
              };
              return all_of({holds_if(at(size) < 0 && at(-size) > 0, "the sign of u"),
                             holds_if(abs(at(Real(1024))) < abs(at(Real(1))), "no fading at 2^10")});
            }}}};
}

Law swapped_labels() {
  const std::uint32_t degree = 4;  // r c r' c'
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

}  // namespace

std::vector<Law> sanatan_labels_laws() {
  return {coefficient_bound(), boundary(), quarter_anchor(), opposite_sign(), swapped_labels()};
}

}  // namespace assay
