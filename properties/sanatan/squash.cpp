#include "oracle/sanatan/squash.hpp"

#include "arith/dual.hpp"
#include "oracle/axioms.hpp"
#include "oracle/sanatan/attention.hpp"
#include "properties/identity.hpp"
#include "properties/same.hpp"
#include "properties/sanatan/laws.hpp"

namespace assay {
namespace {

using namespace sanatan;

/// φ(u) / π, given |u|.
template <Scalar K>
K squash_over_pi(const K& u, const K& size) {
  return squash<K>(u, size, K(1));
}

/// Every right-hand side has the sign that its name says, as 1 + |u| >= 1. Between opposite signs φ grows through 0.
Law squash_range() {
  const std::uint32_t degree = 6;
  return certified_inequality(
      "sanatan.squash_is_odd_increasing_and_inside_pi",
      "x = phi/pi: x(-u) = -x(u); 1 - |x| = 1/(1+|u|); x(u') - x(u) = (u' - u)/((1+|u|)(1+|u'|)) on one side of 0; u = "
      "x/(1 - |x|)",
      "[SANATAN] s3.1-3.2; [SANATAN-post]; SAN-010", degree, 24, []<class K>(Source<K>& from) {
        const K u = from.value(), step = from.nonzero();
        const int sign = from.sign_of(u);
        const K size = axiom::magnitude(sign, u), further = u + axiom::magnitude(sign, K(step * step));
        const K further_size = axiom::magnitude(sign, further);
        if (further_size == K(-1)) return Outcome::rejected("1 + |u'| = 0");
        const K x = squash_over_pi(u, size), x_further = squash_over_pi(further, further_size);
        const K x_size = axiom::magnitude(sign, x), growth = (further - u) / ((K(1) + size) * (K(1) + further_size));
        FirstFailure found;
        found.note(same("phi(-u)", squash_over_pi<K>(-u, size), K(-x)));
        found.note(same("1 - |x|", K(K(1) - x_size), K(K(1) / (K(1) + size))));
        found.note(same("growth", K(x_further - x), growth));
        found.note(same("inverse", unsquash<K>(x, x_size, K(1)), u));
        found.note(same("phi(1)", squash_over_pi(K(1), K(1)), K(K(1) / K(2))));
        found.note(same("phi(0)", squash_over_pi(K(0), K(0)), K(0)));
        if constexpr (OrderedScalar<K>) {
          found.note(holds_if(K(-1) < x && x < K(1), "reaches an end at " + text_of(u)));
          found.note(holds_if((x < x_further) == (u < further), "not increasing at " + text_of(u)));
        }
        return found.outcome();
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
  const std::uint32_t degree = 3;
  return certified_inequality("sanatan.squash_is_linear_near_zero_and_saturates",
                              "|phi(u) - pi u| = pi u^2/(1+|u|) <= pi u^2; pi - |phi(u)| = pi/(1+|u|)",
                              "[SANATAN-notes] s2.2; SAN-012", degree, 16, []<class K>(Source<K>& from) {
                                const K u = from.value(), size = axiom::magnitude(from.sign_of(u), u);
                                const K x = squash_over_pi(size, size), gap = size - x;
                                FirstFailure found;
                                found.note(same("|pi u| - |phi|", gap, K(u * u / (K(1) + size))));
                                found.note(same("u^2 - gap", K(u * u - gap), K(u * u * size / (K(1) + size))));
                                found.note(same("pi - |phi|", K(K(1) - x), K(K(1) / (K(1) + size))));
                                if constexpr (OrderedScalar<K>)
                                  found.note(holds_if(gap <= u * u, "above pi u^2 at " + text_of(u)));
                                return found.outcome();
                              });
}

Law squash_derivative() {
  const std::uint32_t degree = 6;
  return identity("sanatan.squash_slope_is_the_derivative", "phi' = pi/(1+|u|)^2 on both branches of |u|",
                  "[SANATAN-notes] s2.2; SAN-011", degree, 16, []<class K>(Source<K>& from) {
                    const Dual<K> u(from.value(), from.value());
                    const K pi = from.free();
                    const Dual<K> size = axiom::magnitude(from.sign_of(u.value), u);
                    return same("tangent", squash(u, size, Dual<K>(pi)).tangent,
                                K(squash_slope(size.value, pi) * u.tangent));
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

}  // namespace

std::vector<Law> sanatan_squash_laws() {
  return {squash_range(),  squash_in_float(),   squash_smoothness(),
          squash_limits(), squash_derivative(), scale_of_projection()};
}

}  // namespace assay
