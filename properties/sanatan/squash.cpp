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

/// φ(u) / π over an ordered field.
template <OrderedScalar K>
K squash_over_pi(const K& u) {
  return squash<K>(u, axiom::magnitude(u < K(0) ? -1 : 1, u), K(1));
}

Law squash_range() {
  return inequality("sanatan.squash_is_odd_increasing_and_inside_pi",
                    "phi/pi: odd, strictly increasing, onto (-1, 1) with inverse x/(1 - |x|)",
                    "[SANATAN] s3.1-3.2; [SANATAN-post]; SAN-010", 64, []<class K>(Source<K>& from) {
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
