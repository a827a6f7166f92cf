#include <cstddef>
#include <vector>

#include "oracle/sfda/gradients.hpp"
#include "properties/identity.hpp"
#include "properties/same.hpp"
#include "properties/sfda/golden_inputs.hpp"
#include "properties/sfda/laws.hpp"

/// Gradients worked out by hand from the source texts, with none of the oracle's code. That of x is d/dRe + i d/dIm.
namespace assay {
namespace {

using namespace sfda;
using namespace sfda::golden;

/// d = dv = T = 1: S_0 = 1 + i, Λ = i, k = 2, β = 1/2, v = 1 - i, q = i, dO = 1 + 2i, dS = -i.
///   S' = i(1+i) = -1 + i,  v^ = 2 conj(-1+i) = -2 - 2i,  e = 3 + i,  S = (-1+i) + (3-i) = 2,  o = 2i
///   dq = S dO = 2 + 4i;  G = dS + q conj(dO) = -i + i(1-2i) = 2;  h = conj(G) k = 4
///   dv = 2,  dbeta = Re(conj(3+i) 4) = 12,  dk = (1/2)(2(3+i) - 4(-1+i)) = 5 - i
///   dS' = 2 - (1/2) 2 4 = -2,  dlambda = -2 conj(1+i) = -2 + 2i,  dS_0 = conj(i)(-2) = 2i
/// From the definition for β: S moves by k conj(e) = 6 - 2i, o by conj(6-2i) i = -2 + 6i, and the number by
///   Re((1-2i)(-2+6i)) + Re(conj(-i)(6-2i)) = 10 + 2 = 12.
Law one_token() {
  return settled<Z>(
      "sfda.golden_gradient_of_one_token", "dq = 2+4i, dk = 5-i, dv = 2, dbeta = 12, dlambda = -2+2i, dS_0 = 2i",
      "[SFDA] eq. 13 by the chain rule; SFD-001", [](Source<Z>&) {
        const Tokens<Z> x{rows({{z(0, 1)}}), rows({{z(2)}}), rows({{z(1, -1)}}), {Q(1, 2)}, {{{z(0, 1)}}}};
        const auto g = gradients(x, rows({{z(1, 1)}}), rows({{z(1, 2)}}), rows({{z(0, -1)}}));
        return all_of({same("dq", g.q(0, 0), z(2, 4)), same("dk", g.k(0, 0), z(5, -1)), same("dv", g.v(0, 0), z(2)),
                       same("dbeta", g.beta[0], Q(12)), same("dlambda", g.lambda(0, 0), z(-2, 2)),
                       same("dS_0", g.initial(0, 0), z(0, 2))});
      });
}

/// λ = α e^{iθ} with α = 1/2, e^{iθ} = i, and dλ = -2 + 2i:
///   d alpha = Re(conj(-2+2i) i) = Re(2 - 2i) = 2,  d log alpha = (1/2) 2 = 1,  dtheta = -Im((1/2)(2 - 2i)) = 1
/// From the definition: dλ/dθ = iλ = -1/2, and Re(conj(-2+2i)(-1/2)) = 1.
Law decay_and_phase_of_one() {
  return settled<Z>("sfda.golden_gradient_of_decay_and_phase", "d alpha = 2, d log alpha = 1, d theta = 1",
                    "[SFDA] eq. 13 by the chain rule; SFD-001", [](Source<Z>&) {
                      const auto g = decay_phase_gradients(z(-2, 2), Q(1, 2), z(0, 1));
                      return all_of({same("alpha", g.alpha, Q(2)), same("log alpha", g.log_alpha, Q(1)),
                                     same("theta", g.theta, Q(1))});
                    });
}

/// d = 2, dv = 1, T = 2, S_0 = (1, 0), dO = (i, 1), dS = (1, 0).
///          q         k         v       β      Λ
///   t = 1  (1, i)    (i, 1)    1 - i   1      (1, i)
///   t = 2  (1, 1)    (1, i)    2       1/2    (i, 1/2)
/// Forwards:
///   t = 1  S' = (1, 0),  v^ = i,  e = 1 - 2i,  S_1 = (1, 0) + (i, 1)(1 + 2i) = (-1+i, 1+2i)
///   t = 2  S' = (-1-i, 1/2+i),  v^ = (-1+i) + (1/2-i) i = 3i/2,  e = 2 - 3i/2
///          S_2 = S' + (1/2)(1, i)(2 + 3i/2) = (-i/4, -1/4+2i)
/// Backwards:
///   t = 2  dq = S_2,  G = (2, 1),  h = 2 + i,  dv = 1 + i/2,  dbeta = Re((2+3i/2)(2+i)) = 5/2
///          dk = (1/2)((2, 1)(2-3i/2) - (-1-i, 1/2+i)(2+i)) = (5/2, 1-2i)
///          dS' = (2, 1) - (1/2)(1, i)(2 - i) = (1+i/2, 1/2-i),  dlambda = dS' conj(S_1) = (-1/2-3i/2, -3/2-2i)
///          G = conj(Lambda_2) dS' = (1/2-i, 1/4-i/2)
///   t = 1  dq = S_1 i = (-1-i, -2+i),  G += (1, i)(-i): (1/2-2i, 5/4-i/2)
///          h = (1/2+2i) i + 5/4 + i/2 = -3/4 + i,  dv = h,  dbeta = Re((1+2i)(-3/4+i)) = -11/4
///          dk = (1/2-2i, 5/4-i/2)(1-2i) - (1, 0) h = (-11/4-4i, 1/4-3i)
///          dS' = G - (i, 1)(-3/4-i) = (-1/2-5i/4, 2+i/2),  dlambda = (-1/2-5i/4, 0)
///          dS_0 = (1, -i) dS' = (-1/2-5i/4, 1/2-2i)
Law two_tokens() {
  return settled<Z>(
      "sfda.golden_gradient_of_two_tokens",
      "dS_0 = (-1/2-5i/4, 1/2-2i), dbeta = -11/4, 5/2, and dq, dk, dv, dlambda of both tokens",
      "[SFDA] eq. 13 by the chain rule; SFD-001", [](Source<Z>&) {
        const Tokens<Z> x{rows({{z(1), z(0, 1)}, {z(1), z(1)}}),
                          rows({{z(0, 1), z(1)}, {z(1), z(0, 1)}}),
                          rows({{z(1, -1)}, {z(2)}}),
                          {Q(1), Q(1, 2)},
                          diagonals(rows({{z(1), z(0, 1)}, {z(0, 1), z(Q(1, 2))}}))};
        const auto g = gradients(x, rows({{z(1)}, {z(0)}}), rows({{z(0, 1)}, {z(1)}}), rows({{z(1)}, {z(0)}}));
        return all_of(
            {same("dq", g.q, rows({{z(-1, -1), z(-2, 1)}, {z(0, Q(-1, 4)), z(Q(-1, 4), 2)}})),
             same("dk", g.k, rows({{z(Q(-11, 4), -4), z(Q(1, 4), -3)}, {z(Q(5, 2)), z(1, -2)}})),
             same("dv", g.v, rows({{z(Q(-3, 4), 1)}, {z(1, Q(1, 2))}})),
             same("dbeta", g.beta, std::vector<Q>{Q(-11, 4), Q(5, 2)}),
             same("dlambda", g.lambda, rows({{z(Q(-1, 2), Q(-5, 4)), z(0)}, {z(Q(-1, 2), Q(-3, 2)), z(Q(-3, 2), -2)}})),
             same("dS_0", g.initial, rows({{z(Q(-1, 2), Q(-5, 4))}, {z(Q(1, 2), -2)}}))});
      });
}

}  // namespace

std::vector<Law> sfda_golden_gradients_laws() { return {one_token(), decay_and_phase_of_one(), two_tokens()}; }

}  // namespace assay
