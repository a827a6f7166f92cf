#include <cstddef>
#include <optional>
#include <vector>

#include "oracle/sfda/chunk.hpp"
#include "oracle/sfda/interactions.hpp"
#include "oracle/sfda/partial_permutation.hpp"
#include "oracle/sfda/write_summary.hpp"
#include "properties/identity.hpp"
#include "properties/same.hpp"
#include "properties/sfda/golden_inputs.hpp"
#include "properties/sfda/laws.hpp"

/// Cases worked out by hand from the source texts, with none of the oracle's code: the derivation stands over each.
namespace assay {
namespace {

using namespace sfda;
using namespace sfda::golden;

/// The three tokens of golden_inputs.hpp from S_0 = 0.
///   t = 1  S' = 0, v^ = 0, e = 1 + i, S_1 = (1/2)(1, i)(1 - i)                             = ((1-i)/2, (1+i)/2)
///          o_1 = conj((1-i)/2)                                                             = (1+i)/2
///   t = 2  S' = (i(1-i)/2, (1+i)/4) = ((1+i)/2, (1+i)/4), v^ = (1-i)/2, e = (-1+5i)/2
///          S_2 = (conj(2i), (1+i)/4), as beta = 1 and k = e_1                              = (-2i, (1+i)/4)
///          o_2 = 2i + (1-i) i/4                                                            = (1+9i)/4
///   t = 3  S' = (-i, -i(1+i)/4) = (-i, (1-i)/4), v^ = i - (1+i)/4 = (-1+3i)/4, e = (13-3i)/4
///          S_3 = (-i + (13+3i)/12, (1-i)/4 - (13+3i)/12)                                   = ((13-9i)/12, (-5-3i)/6)
///          o_3 = (13+9i) i/12 + 2 (-5+3i)/6                                                = (-29+25i)/12
/// From S_0 = (1, i), with P_3 of the next case: S_3 grows by P_3 S_0 = (-1/24, -1/12), so
///   S_3 = ((25-18i)/24, (-11-6i)/12),  o_3 = (25+18i) i/24 + 2 (-11+6i)/12                 = (-62+49i)/24
Law recurrent() {
  return settled<Z>(
      "sfda.golden_case_of_the_recurrence",
      "d = 2, T = 3: o = (1+i)/2, (1+9i)/4, (-29+25i)/12 from zero, last (-62+49i)/24 from (1, i), by tokens and by "
      "chunks",
      "[SFDA] eq. 13; [SFDA-notes] overview, s2.1, s2.5; SFD-001, SFD-003, SFD-036, SFD-038", [](Source<Z>&) {
        const Tokens<Z> x = three_tokens();
        const Matrix<Z> zero(2, 1), start = rows({{z(1)}, {z(0, 1)}});
        const Matrix<Z> o = rows({{z(Q(1, 2), Q(1, 2))}, {z(Q(1, 4), Q(9, 4))}, {z(Q(-29, 12), Q(25, 12))}});
        const Matrix<Z> B = rows({{z(Q(13, 12), Q(-3, 4))}, {z(Q(-5, 6), Q(-1, 2))}});
        const Matrix<Z> S = rows({{z(Q(25, 24), Q(-3, 4))}, {z(Q(-11, 12), Q(-1, 2))}});
        const std::size_t one[] = {3}, two[] = {1, 2};
        FirstFailure found;
        for (const Run<Z>& run : {recurrence(x, zero), chunked<Z>(x, zero, one), chunked<Z>(x, zero, two)})
          found.note(all_of({same("o", run.o, o), same("S", run.S, B)}));
        for (const Run<Z>& run : {recurrence(x, start), chunked<Z>(x, start, one), chunked<Z>(x, start, two)})
          found.note(all_of({same("o_3", run.o(2, 0), z(Q(-31, 12), Q(49, 24))), same("S", run.S, S)}));
        found.note(same("B", write_sum<Z>(x), B));
        return found.outcome();
      });
}

/// Factors of the same tokens.
///   u_1 = (1/2, i/2), r_1 = (1, i/2);  u_2 = (1, 0), r_2 = (-i, 0);  u_3 = (1/3, -1/3), r_3 = (1/2, -i)
///   Gamma_1 = (1, 1/2), Gamma_2 = (i, 1/4), Gamma_3 = (i/2, -i/4)
///   Y_2 = [(i/2, i/4), (1, 0)],  Y_3 = [(i/4, 1/4), (1/2, 0), (1/3, -1/3)]
///   W_3 = [(1, i/2), (-i, 0), (-i/2, -i/4)]
///   M_21 = -r_2* u_1 = -i/2;  r_3* Y_2 = (1/2)(i/2) + i(i/4), 1/2 = (-1+i)/4, 1/2
///   M_31 = -((-1+i)/4 + (1/2)(-i/2)) = 1/4,  M_32 = -1/2
///   A_1 = [[1/2, i/4], [-i/2, 1/4]],  A_2 = [[0, 0], [0, 1/2]],  A_3 = [[1/3, -i/3], [1/6, -2i/3]]
///   A_2 A_1 = [[0, 0], [-i/4, 1/8]],  P_3 = [[-1/12, -i/24], [-1/6, -i/12]]
Law factors() {
  return settled<Z>(
      "sfda.golden_case_of_the_factors",
      "the same tokens: Gamma_3, Y_3, W_3, M_3 and P_3 = [[-1/12, -i/24], [-1/6, -i/12]], another matrix than A_1 A_2 "
      "A_3",
      "[SFDA] Thm 4.2, eq. 34-39; [SFDA-notes] s2.4; SFD-021, SFD-024", [](Source<Z>&) {
        const Tokens<Z> x = three_tokens();
        const auto f = summarised(x, 0, 3).factors;
        const Matrix<Z> P = rows({{z(Q(-1, 12)), z(0, Q(-1, 24))}, {z(Q(-1, 6)), z(0, Q(-1, 12))}});
        Matrix<Z> reversed = identity_matrix<Z>(2);
        for (std::size_t t = 0; t < 3; ++t) reversed = reversed * transition<Z>(x.lambda[t], x.k.row(t), x.beta[t]);
        return all_of(
            {same("Gamma", f.gamma.lambda, std::vector<Z>{z(0, Q(1, 2)), z(0, Q(-1, 4))}),
             same("Y", f.Y, rows({{z(0, Q(1, 4)), z(Q(1, 2)), z(Q(1, 3))}, {z(Q(1, 4)), z(0), z(Q(-1, 3))}})),
             same("W", f.W, rows({{z(1), z(0, -1), z(0, Q(-1, 2))}, {z(0, Q(1, 2)), z(0), z(0, Q(-1, 4))}})),
             same("M", f.M, rows({{z(1), z(0), z(0)}, {z(0, Q(-1, 2)), z(1), z(0)}, {z(Q(1, 4)), z(Q(-1, 2)), z(1)}})),
             same("P", transfer(f), P), differs("A_1 A_2 A_3", reversed, P)});
      });
}

/// The second convention for the same tokens: L'_ij with keys in the place of u.
///   L'_21 = r_2* k_1 = i,  L'_31 = r_3* Lambda_2 k_1 = (1/2) i + i (i/2) = (-1+i)/2,  L'_32 = r_3* k_2 = 1/2
///   D L' has the rows (0), (i), ((-1+i)/6, 1/6);  (I + D L') M' = D:
///   M'_11 = 1/2,  M'_21 = -i/2,  M'_22 = 1
///   M'_31 = -((-1+i)/12 + (1/6)(-i/2)) = 1/12,  M'_32 = -1/6,  M'_33 = 1/3
Law conventions_of_m() {
  return settled<Z>(
      "sfda.golden_case_of_the_second_convention_of_m",
      "the same tokens: M' = [[1/2], [-i/2, 1], [1/12, -1/6, 1/3]], its diagonal beta, with keys in Y'",
      "[SFDA] Prop. 6.4; [SFDA-notes] s3.3; SFD-060, SFD-062", [](Source<Z>&) {
        const Tokens<Z> x = three_tokens();
        std::vector<Correction<Z>> keyed;
        for (std::size_t t = 0; t < 3; ++t) keyed.push_back(tied<Z>(x.lambda[t], x.k.row(t), Q(1)));
        const Matrix<Z> L = interactions<Z, Diagonal<Z>>(x.lambda, keyed);
        return all_of(
            {same("L'", L, rows({{z(0), z(0), z(0)}, {z(0, 1), z(0), z(0)}, {z(Q(-1, 2), Q(1, 2)), z(Q(1, 2)), z(0)}})),
             same("M'", keyed_inverse<Z>(L, x.beta),
                  rows({{z(Q(1, 2)), z(0), z(0)},
                        {z(0, Q(-1, 2)), z(1), z(0)},
                        {z(Q(1, 12)), z(Q(-1, 6)), z(Q(1, 3))}}))});
      });
}

/// d = 2, dv = 2, T = 3, Λ a swap, a shift down and a swap again; untouched by β = 0 in the middle.
/// S_0 = [[1, i], [0, 2]].
///   t = 1  swap: S' = [[0, 2], [1, i]];  k = e_2, beta = 1, v = (i, 1): row 2 becomes (conj(i), 1) = (-i, 1)
///          S_1 = [[0, 2], [-i, 1]],  q = (1, i): o_1 = (0 + i conj(-i), 2 + i) = (i i, 2 + i) = (-1, 2+i)
///   t = 2  shift: S_2 = [[0, 0], [0, 2]],  q = (0, i): o_2 = (0, 2i)
///   t = 3  swap: S' = [[0, 2], [0, 0]];  k = (1, i), beta = 1/2, v = (2, 0): v^ = (0, 2), e = (2, -2)
///          k (beta e)* = (1, i)(1, -1) = [[1, -1], [i, -i]],  S_3 = [[1, 1], [i, -i]]
///          q = (i, 1): o_3 = (i + conj(i), i + conj(-i)) = (0, 2i)
Law permuted() {
  return settled<Z>("sfda.golden_case_of_partial_permutations",
                    "d = dv = 2, T = 3, swap, shift, swap: o = (-1, 2+i), (0, 2i), (0, 2i), by tokens and by chunks",
                    "[SFDA] eq. 13, def. 5.1-5.2; [SFDA-notes] s2.3; SFD-026, SFD-036", [](Source<Z>&) {
                      const PartialPermutation<Z> swap{{1, 0}}, shift{{std::nullopt, 0}};
                      const Tokens<Z, PartialPermutation<Z>> x{
                          rows({{z(1), z(0, 1)}, {z(0), z(0, 1)}, {z(0, 1), z(1)}}),
                          rows({{z(0), z(1)}, {z(1), z(1)}, {z(1), z(0, 1)}}),
                          rows({{z(0, 1), z(1)}, {z(5), z(7)}, {z(2), z(0)}}),
                          {Q(1), Q(0), Q(1, 2)},
                          {swap, shift, swap}};
                      const Matrix<Z> S0 = rows({{z(1), z(0, 1)}, {z(0), z(2)}});
                      const Matrix<Z> o = rows({{z(-1), z(2, 1)}, {z(0), z(0, 2)}, {z(0), z(0, 2)}});
                      const Matrix<Z> S = rows({{z(1), z(1)}, {z(0, 1), z(0, -1)}});
                      const std::size_t lengths[] = {3};
                      FirstFailure found;
                      for (const Run<Z>& run : {recurrence(x, S0), chunked<Z>(x, S0, lengths)})
                        found.note(all_of({same("o", run.o, o), same("S", run.S, S)}));
                      return found.outcome();
                    });
}

/// One token, d = dv = 1, S_0 = 3, Λ = i, k = 1, β = 1/2, v = 1, q = i, so S' = 3i and v^ = -3i.
///   update, then read with S*:   S = 3i + (1/2)(1 + 3i)* = 3i + (1 - 3i)/2 = (1+3i)/2,  o = (1-3i) i/2 = (3+i)/2
///   read first:                  S_0* q = 3i;  without the star: S q = (1+3i) i/2 = (-3+i)/2
///   v instead of v* would not show here: v is real. With v = i: S = 3i + (1/2)(4i)* = i;  with v for v*: 2i
Law conventions() {
  return settled<Z>(
      "sfda.golden_case_of_the_conventions",
      "one token: o = (3+i)/2 by S_t* q_t after the update; S_0* q_0 = 3i, S q = (-3+i)/2; v enters as v*",
      "[SFDA] eq. 13-19; [SFDA-notes] s2.1; SFD-001, SFD-007", [](Source<Z>&) {
        Tokens<Z> x{rows({{z(0, 1)}}), rows({{z(1)}}), rows({{z(1)}}), {Q(1, 2)}, {{{z(0, 1)}}}};
        const Matrix<Z> S0 = rows({{z(3)}});
        const Run<Z> run = recurrence(x, S0);
        x.v = rows({{z(0, 1)}});
        return all_of({same("S", run.S(0, 0), z(Q(1, 2), Q(3, 2))), same("o", run.o(0, 0), z(Q(3, 2), Q(1, 2))),
                       same("S with v = i", recurrence(x, S0).S(0, 0), z(0, 1)),
                       differs("read first", Z(conj(S0(0, 0)) * z(0, 1)), run.o(0, 0)),
                       differs("S q", Z(run.S(0, 0) * z(0, 1)), run.o(0, 0))});
      });
}

}  // namespace

std::vector<Law> sfda_golden_laws() { return {recurrent(), factors(), conventions_of_m(), permuted(), conventions()}; }

}  // namespace assay
