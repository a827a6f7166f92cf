#include <cstddef>

#include "oracle/sanatan/gradients.hpp"
#include "properties/identity.hpp"
#include "properties/same.hpp"
#include "properties/sanatan/laws.hpp"
#include "properties/table_text.hpp"

/// Gradients worked out by hand from the source texts, with none of the oracle's code.
namespace assay {
namespace {

using namespace sanatan;
using Q = Rational;
using Angle = CircleAngle<Q>;

const Angle zero{Q(1), Q(0)}, quarter{Q(0), Q(1)}, pythagorean{Q(3, 5), Q(4, 5)};

/// Stands for tanh: value x/2; its slope counts as 1 - r², the axiom of tanh.
Q half(const Q& x) { return x / Q(2); }

Matrix<Angle> column(std::initializer_list<Angle> angles) {
  Matrix<Angle> theta(angles.size(), 1, Angle{});
  std::size_t t = 0;
  for (const Angle& angle : angles) theta(t++, 0) = angle;
  return theta;
}

/// Six channels, d = 1, T = 1, position 0, p = 1, c = 1, ε = 1, v = 3, dO = 1; θ_q = (3/5, 4/5), θ_k = 0, ω = λ = 0.
///   r_q = (3/5 - 4/5)/2 = -1/10,  r_k = 1/2,  1 + ρ = 19/20,  cos Δ = 3/5,  sin Δ = 4/5
///   s = (19/20)(8/5) = 38/25,  do/ds = v ε/(s + ε)² = 3 · 625/3969 = 625/1323,  do/dv = s/(s + ε) = 38/63
///   by the angle:  ds/dθ_q = -(1 + ρ) sin Δ = -19/25,  ds/dθ_k = 19/25
///   by the label:  r_q' = -(99/100)(7/5) = -693/500,  ds/dr_q = r_k (1 + cos Δ) = 4/5,  product -693/625
///                  r_k' = -(3/4)(1) = -3/4,           ds/dr_k = r_q (1 + cos Δ) = -4/25, product 3/25
///   dθ_q = (625/1323)(-1168/625) = -1168/1323      dθ_k = (625/1323)(22/25) = 550/1323
///   dω = (625/1323)(-618/625) = -206/441           dλ = 0: both tokens stand at position 0
Law one_token() {
  return settled<Q>(
      "sanatan.golden_gradient_of_one_token",
      "p = 1: dv = 38/63, dtheta_q = -1168/1323, dtheta_k = 550/1323, domega = -206/441, dlambda = 0",
      "[SANATAN] eq. 2-9 by the chain rule; [SANATAN-notes] s2.2-2.7; SAN-057", [](Source<Q>&) {
        const HeadInputs<Angle, Q> head{Channels::six, column({pythagorean}),  column({zero}),
                                        table("3"),    {{zero}, {zero}, Q(1)}, 0};
        const WeightRule<Q> rule{1, Q(1), Q(1)};
        const auto check = [](const Gradients<Q>& d) {
          return all_of({same("dv", d.v, table("38/63")), same("dtheta_q", d.theta_q, table("-1168/1323")),
                         same("dtheta_k", d.theta_k, table("550/1323")), same("domega", d.omega, entries("-206/441")),
                         same("dlambda", d.lambda, entries("0"))});
        };
        return all_of(
            {check(parallel_gradients(head, rule, Matrix<int>(1, 1, 1), table("1"), half)),
             check(recurrent_gradients(head, Q(1), empty_state<Q>(6, 1), table("1"), empty_state<Q>(6, 1), half))});
      });
}

/// Three channels, d = 1, T = 2, positions 0 and 1, λ = π/2, p = 2, c = 1, ε = 1, v = (1, 3), dO = (0, 1);
/// θ_q = (0, 0), θ_k = (arg(3 + 4i), 0). Rotated: q (1, 0), (0, 1); k (3/5, 4/5), (0, 1).
///   s_21 = 1 + 4/5 = 9/5,  s_22 = 2,  weights 81/25 and 4,  N = 381/25,  D + ε = 206/25,  o_2 = 381/206
///   dw_21 = (1 - o_2)(25/206) = -4375/42436,  ds_21 = 2 s_21 dw_21 = -7875/21218;  s_22 is at its maximum
///   d cos Δ_21 = -sin Δ_21 = -(1)(3/5):  dθ_q2 = (-7875/21218)(-3/5) = 4725/21218 = -dθ_k1
///   dλ = (1 - 0) 4725/21218,  dv = (81/206, 100/206)
Law distance_of_one() {
  return settled<Q>(
      "sanatan.golden_gradient_of_the_rotation",
      "p = 2, three channels: dlambda = dtheta_q2 = -dtheta_k1 = 4725/21218, dv = (81/206, 50/103)",
      "[SANATAN] eq. 2-8 by the chain rule; [SANATAN-notes] s2.2, s2.6, s4.4; SAN-019", [](Source<Q>&) {
        const HeadInputs<Angle, Q> head{Channels::three, column({zero, zero}),      column({pythagorean, zero}),
                                        table("1; 3"),   {{zero}, {quarter}, Q(1)}, 0};
        const Gradients<Q> d =
            parallel_gradients(head, WeightRule<Q>{2, Q(1), Q(1)}, Matrix<int>(2, 2, 1), table("0; 1"), half);
        return all_of({same("dlambda", d.lambda, entries("4725/21218")), same("domega", d.omega, entries("0")),
                       same("dtheta_q", d.theta_q, table("0; 4725/21218")),
                       same("dtheta_k", d.theta_k, table("-4725/21218; 0")), same("dv", d.v, table("81/206; 50/103"))});
      });
}

/// One token from a state, F = 2, dv = 1: φ_q = (1, 2), φ_k = (3, -1), v = 5, S_0 = (1, 0), z_0 = (2, 1), ε = 1,
/// dO = 6, and dS = (1, 2), dz = (0, 1) on the final state.
///   S = (1 + 15, 0 - 5) = (16, -5),  z = (5, 0),  N = 6,  D + ε = 6,  o = 1,  g = dO/(D + ε) = 1,  h = -g o = -1
///   dφ_q = S g + h z = (11, -5)
///   dS_0 = dS + φ_q g = (2, 4),  dz_0 = dz + h φ_q = (-1, -1)
///   dφ_k = dS_0 v + dz_0 = (9, 19),  dv = ⟨dS_0, φ_k⟩ = 2
Law initial_state() {
  return settled<Q>(
      "sanatan.golden_gradient_of_the_initial_state",
      "dS_0 = (2, 4), dz_0 = (-1, -1), dphi_q = (11, -5), dphi_k = (9, 19), dv = 2",
      "[SANATAN] s3.4-3.5 eq. 9 by the chain rule; SAN-057", [](Source<Q>&) {
        const State<Q> initial{table("1; 0"), entries("2 1")}, d_final{table("1; 2"), entries("0 1")};
        const auto d =
            recurrence_gradients(table("1 2"), table("3 -1"), table("5"), initial, Q(1), table("6"), d_final);
        return all_of({same("dS_0", d.initial.S, table("2; 4")), same("dz_0", d.initial.z, entries("-1 -1")),
                       same("dphi_q", d.phi_q, table("11 -5")), same("dphi_k", d.phi_k, table("9 19")),
                       same("dv", d.v, table("2"))});
      });
}

}  // namespace

std::vector<Law> sanatan_golden_gradients_laws() { return {one_token(), distance_of_one(), initial_state()}; }

}  // namespace assay
