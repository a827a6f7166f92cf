#include "oracle/sfda/wy.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "oracle/sfda/interactions.hpp"
#include "properties/identity.hpp"
#include "properties/same.hpp"
#include "properties/sfda/inputs.hpp"
#include "properties/sfda/laws.hpp"

namespace assay {
namespace {

using namespace sfda;

/// Chunks shorter than d, of d and longer, as d <= 5.
constexpr std::int64_t longest = 7;
constexpr std::uint32_t chunk_degree = longest * token_degree;

template <class K>
Correction<K> free_correction(Source<K>& from, std::size_t d) {
  return {from.values(d, 1), from.values(d, 1)};
}

Law one_token() {
  return complex_identity(
      "sfda.transition_is_the_control_less_a_rank_one_part",
      "(I - beta k k*) Lambda = Lambda - u r* with u = beta k, r = Lambda* k, for every kind of Lambda",
      "[SFDA] s4, eq. 34; [SFDA-notes] s2.4; SFD-008, SFD-019", token_degree, 8, []<class K>(Source<K>& from) {
        const std::size_t d = from.size("d", 1, 5);
        const std::vector<K> k = from.values(d);
        const RealOf<K> beta = from.real();
        FirstFailure found;
        for_every_control(from, d, [&](std::string_view name, auto draw) {
          const auto lambda = draw();
          found.note(same(name, transition(lambda, tied<K>(lambda, k, beta)), transition<K>(lambda, k, beta)));
        });
        return found.outcome();
      });
}

Law two_tokens() {
  return complex_identity(
      "sfda.two_tokens_expand_with_a_positive_cross_term",
      "A_2 A_1 = L_2 L_1 - L_2 u_1 r_1* - u_2 r_2* L_1 + u_2 (r_2* u_1) r_1*",
      "[SFDA] Thm 4.2, eq. 34-39; [SFDA-notes] s2.4; SFD-020", 2 * token_degree, 12, []<class K>(Source<K>& from) {
        const std::size_t d = from.size("d", 1, 5);
        const Matrix<K> L1 = from.values(d, d), L2 = from.values(d, d);
        const auto c1 = free_correction(from, d), c2 = free_correction(from, d);
        const Matrix<K> cross = c2.u * (adjoint(c2.r) * c1.u) * adjoint(c1.r);
        const Matrix<K> rest = L2 * L1 - L2 * c1.u * adjoint(c1.r) - c2.u * (adjoint(c2.r) * L1);
        return same("A_2 A_1", transition(Dense<K>{L2}, c2) * transition(Dense<K>{L1}, c1), rest + cross);
      });
}

/// Compares P_t with the product of transitions at every t, from corrections that `correct` makes.
template <class K, class Draw, class Correct>
Outcome closes(std::size_t T, std::size_t d, Draw draw, Correct correct) {
  auto f = empty_factors<K, decltype(draw())>(d);
  Matrix<K> P = identity_matrix<K>(d);
  FirstFailure found;
  found.note(same("P_0", transfer(f), P));
  for (std::size_t t = 1; t <= T; ++t) {
    const auto lambda = draw();
    const Correction<K> c = correct(lambda);
    f = extended(f, lambda, c);
    P = transition(lambda, c) * P;
    found.note(same("P_" + std::to_string(t), transfer(f), P));
    found.note(same("columns of Y", f.Y.cols(), t));
    found.note(same("columns of W", f.W.cols(), t));
    for (std::size_t i = 0; i < t; ++i)
      for (std::size_t j = i; j < t; ++j) found.note(same("M", f.M(i, j), K(i == j ? 1 : 0)));
  }
  return found.outcome();
}

template <class Correct>
Law closure(std::string_view name, std::string_view statement, std::string_view claims, Correct correct) {
  return complex_identity(name, statement, claims, chunk_degree, 8, [correct]<class K>(Source<K>& from) {
    const std::size_t d = from.size("d", 1, 5), T = from.size("T", 0, longest);
    FirstFailure found;
    for_every_control(from, d, [&](std::string_view kind, auto draw) {
      Outcome outcome = closes<K>(T, d, draw, [&](const auto& lambda) { return correct(from, lambda); });
      if (outcome.kind != Outcome::Kind::holds) found.note(Outcome::fails(std::string(kind) + ": " + outcome.text));
    });
    return found.outcome();
  });
}

Law tied_closure() {
  return closure(
      "sfda.factors_of_tied_tokens_close_at_every_length",
      "P_t = Gamma_t - Y_t M_t W_t*, Y W [d, t], M unit lower triangular: t = 0, 1, ... beyond d, any Lambda",
      "[SFDA] Thm 4.2, eq. 34-39; [SFDA-notes] s2.4; SFD-021, SFD-022",
      []<class K>(Source<K>& from, const auto& lambda) {
        std::vector<K> k = from.values(lambda.width());
        if (from.listed() && from.below(4) == 0) k.assign(k.size(), K(0));
        return tied<K>(lambda, k, from.listed() && from.below(4) == 0 ? RealOf<K>(2) : from.real());
      });
}

Law untied_closure() {
  return closure(
      "sfda.factors_of_untied_corrections_close_at_every_length",
      "the same for Lambda - u r* with free u and r: diagonal, dense, partial permutation, blocks, reflections",
      "[SFDA] Thm 4.2; [SFDA-notes] s2.3; SFD-008, SFD-026",
      []<class K>(Source<K>& from, const auto& lambda) { return free_correction(from, lambda.width()); });
}

/// Λ of rank 0, of a few zero decays, and a nilpotent shift, so that Γ becomes singular or zero.
Law singular_controls() {
  return complex_identity(
      "sfda.factors_need_no_inverse_of_lambda",
      "some alpha = 0, all alpha = 0, and a nilpotent shift: P_t = Gamma_t - Y_t M_t W_t*; the shift leaves Gamma_d = "
      "0",
      "[SFDA] Thm 4.2, eq. 34-39; [SFDA-notes] s2.4; SFD-025", chunk_degree, 8, []<class K>(Source<K>& from) {
        const std::size_t d = from.size("d", 1, 5), T = static_cast<std::size_t>(longest);
        const auto with_zeros = [&](std::uint64_t one_in) {
          return [&from, d, one_in] {
            Diagonal<K> lambda{from.values(d)};
            for (K& entry : lambda.lambda)
              if (from.below(one_in) == 0) entry = K(0);
            return lambda;
          };
        };
        PartialPermutation<K> shift = PartialPermutation<K>::identity(d), power = shift;
        for (std::size_t i = 0; i < d; ++i) shift.source[i] = i == 0 ? std::nullopt : std::optional(i - 1);
        for (std::size_t i = 0; i < d; ++i) power = shift * power;
        const auto correct = [&](const auto& lambda) { return tied<K>(lambda, from.values(d), from.real()); };
        return all_of({closes<K>(T, d, with_zeros(3), correct), closes<K>(T, d, with_zeros(1), correct),
                       closes<K>(
                           T, d, [&] { return shift; }, correct),
                       same("Gamma_d", dense<K>(power), Matrix<K>(d, d))});
      });
}

Law full_size() {
  const std::uint32_t T = 48;
  return complex_generic_identity(
      "sfda.factors_close_at_full_size", "T = 48 > d = 32, diagonal Lambda, tied: P_T applied to 3 columns",
      "[SFDA] Thm 4.2, eq. 34-39; [SFDA-notes] s2.4; SFD-021", T * token_degree + 1, 1, []<class K>(Source<K>& from) {
        const std::size_t d = 32;
        const Tokens<K> x = diagonal_tokens(from, T, d, 1);
        const Matrix<K> S = from.values(d, 3);
        auto f = empty_factors<K, Diagonal<K>>(d);
        Matrix<K> want = S;
        for (std::size_t t = 0; t < T; ++t) {
          f = extended(f, x.lambda[t], tied<K>(x.lambda[t], x.k.row(t), x.beta[t]));
          const Matrix<K> carried = x.lambda[t].times(want), k = column<K>(x.k.row(t));
          want = carried - K(x.beta[t]) * (k * (adjoint(k) * carried));
        }
        return same("P S", f.gamma.times(S) - f.Y * (f.M * (adjoint(f.W) * S)), want);
      });
}

/// (I + L) M = I, for T corrections that `correct` makes.
template <class K, class Draw, class Correct>
Outcome inverts(std::size_t T, std::size_t d, Draw draw, Correct correct) {
  using C = decltype(draw());
  auto f = empty_factors<K, C>(d);
  std::vector<C> controls;
  std::vector<Correction<K>> corrections;
  for (std::size_t t = 0; t < T; ++t) {
    controls.push_back(draw());
    corrections.push_back(correct(controls.back()));
    f = extended(f, controls.back(), corrections.back());
  }
  const Matrix<K> L = interactions<K, C>(controls, corrections);
  return all_of({same("(I + L) M", (identity_matrix<K>(T) + L) * f.M, identity_matrix<K>(T)),
                 same("(I + L)^-1", unit_lower_inverse(L), f.M)});
}

Law closed_form() {
  return complex_identity("sfda.m_inverts_one_plus_the_interactions",
                          "M = (I + L)^{-1}, L_ij = r_i* Lambda_{i-1} ... Lambda_{j+1} u_j below the diagonal",
                          "own; SFD-027", chunk_degree, 8, []<class K>(Source<K>& from) {
                            const std::size_t d = from.size("d", 1, 5), T = from.size("T", 0, longest);
                            FirstFailure found;
                            for_every_control(from, d, [&](std::string_view, auto draw) {
                              found.note(inverts<K>(T, d, draw, [&](const auto&) { return free_correction(from, d); }));
                            });
                            return found.outcome();
                          });
}

Law two_conventions() {
  return complex_identity(
      "sfda.two_conventions_of_m_give_the_same_product",
      "Y' of carried keys, M' = (I + D L')^{-1} D with D = diag(beta): Y' M' = Y M, Y = Y' D, diagonal of M' is beta",
      "[SFDA] Thm 4.2, Prop. 6.4; [SFDA-notes] s2.4, s3.3; SFD-062", chunk_degree, 8, []<class K>(Source<K>& from) {
        const std::size_t d = from.size("d", 1, 5), T = from.size("T", 0, longest);
        const Tokens<K> x = diagonal_tokens(from, T, d, 1);
        auto f = empty_factors<K, Diagonal<K>>(d), keyed = f;
        std::vector<Correction<K>> corrections;
        for (std::size_t t = 0; t < T; ++t) {
          f = extended(f, x.lambda[t], tied<K>(x.lambda[t], x.k.row(t), x.beta[t]));
          corrections.push_back(tied<K>(x.lambda[t], x.k.row(t), RealOf<K>(1)));
          keyed = extended(keyed, x.lambda[t], corrections.back());
        }
        const Matrix<K> L = interactions<K, Diagonal<K>>(x.lambda, corrections), M = keyed_inverse<K>(L, x.beta);
        FirstFailure found;
        found.note(same("Y' M'", keyed.Y * M, f.Y * f.M));
        for (std::size_t j = 0; j < T; ++j) {
          found.note(same("diagonal of M'", M(j, j), K(x.beta[j])));
          found.note(same("diagonal of M", f.M(j, j), K(1)));
          for (std::size_t i = 0; i < d; ++i) found.note(same("Y", f.Y(i, j), K(K(x.beta[j]) * keyed.Y(i, j))));
        }
        return found.outcome();
      });
}

/// Read as one formula, s2.4 and s3.3 of the notes contradict each other: Y M with M of the other convention.
Law mixed_conventions() {
  return complex_generic_identity(
      "sfda.conventions_of_m_must_not_be_mixed",
      "Gamma - Y M' W* with Y of beta k and M' of diagonal beta is not P, except where every beta is 1",
      "[SFDA] Thm 4.2, Prop. 6.4; [SFDA-notes] s2.4, s3.3; SFD-062", chunk_degree, 4, []<class K>(Source<K>& from) {
        const std::size_t d = from.size("d", 1, 4), T = from.size("T", 1, 4);
        Tokens<K> x = diagonal_tokens(from, T, d, 1);
        const auto mixed = [&] {
          auto f = empty_factors<K, Diagonal<K>>(d);
          std::vector<Correction<K>> corrections;
          for (std::size_t t = 0; t < T; ++t) {
            f = extended(f, x.lambda[t], tied<K>(x.lambda[t], x.k.row(t), x.beta[t]));
            corrections.push_back(tied<K>(x.lambda[t], x.k.row(t), RealOf<K>(1)));
          }
          const Matrix<K> L = interactions<K, Diagonal<K>>(x.lambda, corrections);
          return dense<K>(f.gamma) - f.Y * keyed_inverse<K>(L, x.beta) * adjoint(f.W);
        };
        const Outcome wrong = differs("mixed conventions", mixed(), product_of_transitions(x, 0, T));
        x.beta.assign(T, RealOf<K>(1));
        return all_of({wrong, same("beta = 1", mixed(), product_of_transitions(x, 0, T))});
      });
}

}  // namespace

std::vector<Law> sfda_wy_laws() {
  return {one_token(), two_tokens(),  tied_closure(),    untied_closure(),   singular_controls(),
          full_size(), closed_form(), two_conventions(), mixed_conventions()};
}

}  // namespace assay
