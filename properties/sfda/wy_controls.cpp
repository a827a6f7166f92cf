#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "oracle/sfda/wy.hpp"
#include "properties/identity.hpp"
#include "properties/same.hpp"
#include "properties/sfda/inputs.hpp"
#include "properties/sfda/laws.hpp"

/// Negative controls of the factor recursion: wrong variants that hold for one token and fail from two or three on.
namespace assay {
namespace {

using namespace sfda;

constexpr std::int64_t longest = 5;

template <class K>
using Factors = WyFactors<K, Diagonal<K>>;

/// Γ − Y M W* of T tokens, each step `extend`.
template <class K, class Extend>
Matrix<K> built(const Tokens<K>& x, std::size_t T, Extend extend) {
  Factors<K> f = empty_factors<K, Diagonal<K>>(x.k.cols());
  for (std::size_t t = 0; t < T; ++t) f = extend(f, x.lambda[t], tied<K>(x.lambda[t], x.k.row(t), x.beta[t]));
  return transfer(f);
}

/// A wrong step equals the product of transitions up to `right` tokens and differs from it beyond, up to 5.
template <class Step>
Law control(std::string_view name, std::string_view statement, std::string_view claims, std::size_t right, Step step) {
  return complex_generic_identity(name, statement, claims, longest * token_degree, 4,
                                  [right, step]<class K>(Source<K>& from) {
                                    const std::size_t d = from.size("d", 2, 4);
                                    const Tokens<K> x = diagonal_tokens(from, longest, d, 1);
                                    FirstFailure found;
                                    for (std::size_t T = 1; T <= static_cast<std::size_t>(longest); ++T) {
                                      const Matrix<K> wrong = built(x, T, step), want = product_of_transitions(x, 0, T);
                                      const std::string text = "T = " + std::to_string(T);
                                      found.note(T <= right ? same(text, wrong, want) : differs(text, wrong, want));
                                    }
                                    return found.outcome();
                                  });
}

constexpr const char* theorem = "[SFDA] Thm 4.2, eq. 34-39; [SFDA-notes] s2.4; SFD-024";

Law plus_sign() {
  return control("sfda.plus_sign_in_m_fails_from_two_tokens_on",
                 "M with +r_t* Y M in its last row: right for one token, wrong for 2 to 5",
                 "[SFDA] Thm 4.2, eq. 34-39; [SFDA-notes] s2.4; SFD-023", 1,
                 []<class K>(const Factors<K>& f, const Diagonal<K>& lambda, const Correction<K>& c) {
                   Factors<K> wrong = extended(f, lambda, c);
                   const std::size_t t = f.M.rows();
                   for (std::size_t j = 0; j < t; ++j) wrong.M(t, j) = -wrong.M(t, j);
                   return wrong;
                 });
}

Law no_interaction() {
  return control("sfda.factors_without_interaction_fail_from_two_tokens_on",
                 "M = I, each correction on its own: right for one token, wrong for 2 to 5", theorem, 1,
                 []<class K>(const Factors<K>& f, const Diagonal<K>& lambda, const Correction<K>& c) {
                   Factors<K> wrong = extended(f, lambda, c);
                   wrong.M = identity_matrix<K>(wrong.M.rows());
                   return wrong;
                 });
}

/// r_t* Y without M_{t-1} is the right row as long as M_{t-1} is I, so for two tokens.
Law first_order() {
  return control("sfda.interactions_of_first_order_fail_from_three_tokens_on",
                 "last row -r_t* Y_{t-1} without M_{t-1}: right up to two tokens, wrong for 3 to 5", theorem, 2,
                 []<class K>(const Factors<K>& f, const Diagonal<K>& lambda, const Correction<K>& c) {
                   Factors<K> wrong = extended(f, lambda, c);
                   const Matrix<K> row = adjoint(c.r) * f.Y;
                   for (std::size_t j = 0; j < row.cols(); ++j) wrong.M(f.M.rows(), j) = -row(0, j);
                   return wrong;
                 });
}

Law uncarried_columns() {
  return control("sfda.old_columns_of_y_must_be_carried",
                 "Y_t = [Y_{t-1}, u_t] without Lambda_t: right for one token, wrong for 2 to 5", theorem, 1,
                 []<class K>(const Factors<K>& f, const Diagonal<K>& lambda, const Correction<K>& c) {
                   Factors<K> wrong = extended(f, lambda, c);
                   wrong.Y = sfda::detail::with_column(f.Y, c.u);
                   return wrong;
                 });
}

Law late_gamma() {
  return control("sfda.w_takes_the_control_product_before_its_token",
                 "W with Gamma_t* r_t in the place of Gamma_{t-1}* r_t: wrong from one token on", theorem, 0,
                 []<class K>(const Factors<K>& f, const Diagonal<K>& lambda, const Correction<K>& c) {
                   Factors<K> wrong = extended(f, lambda, c);
                   wrong.W = sfda::detail::with_column(f.W, wrong.gamma.adjoint_times(c.r));
                   return wrong;
                 });
}

Law transposed_gamma() {
  return control("sfda.w_takes_the_conjugate_of_the_control_product",
                 "W with Gamma_{t-1} r_t, not conjugated: right for one token, wrong for 2 to 5", theorem, 1,
                 []<class K>(const Factors<K>& f, const Diagonal<K>& lambda, const Correction<K>& c) {
                   Factors<K> wrong = extended(f, lambda, c);
                   wrong.W = sfda::detail::with_column(f.W, f.gamma.times(c.r));
                   return wrong;
                 });
}

Law key_for_r() {
  return control("sfda.r_is_the_key_seen_through_lambda",
                 "r_t = k_t in the place of Lambda_t* k_t: wrong from one token on", theorem, 0,
                 []<class K>(const Factors<K>& f, const Diagonal<K>& lambda, const Correction<K>& c) {
                   Correction<K> wrong = c;
                   for (std::size_t i = 0; i < lambda.width(); ++i) wrong.r(i, 0) = c.r(i, 0) / conj(lambda.lambda[i]);
                   return extended(f, lambda, wrong);
                 });
}

Law reversed_product() {
  return complex_generic_identity(
      "sfda.factors_are_not_those_of_the_reversed_product", "A_1 A_2 ... A_T is A_T ... A_1 for one token only",
      theorem, longest * token_degree, 4, []<class K>(Source<K>& from) {
        const std::size_t d = from.size("d", 2, 4);
        const Tokens<K> x = diagonal_tokens(from, longest, d, 1);
        Matrix<K> reversed = identity_matrix<K>(d);
        FirstFailure found;
        for (std::size_t T = 1; T <= static_cast<std::size_t>(longest); ++T) {
          reversed = reversed * transition<K>(x.lambda[T - 1], x.k.row(T - 1), x.beta[T - 1]);
          const Matrix<K> P =
              built(x, T, [](const auto& f, const auto& lambda, const auto& c) { return extended(f, lambda, c); });
          const std::string text = "reversed, T = " + std::to_string(T);
          found.note(T == 1 ? same(text, reversed, P) : differs(text, reversed, P));
        }
        return found.outcome();
      });
}

}  // namespace

std::vector<Law> sfda_wy_controls_laws() {
  return {plus_sign(),  no_interaction(),   first_order(), uncarried_columns(),
          late_gamma(), transposed_gamma(), key_for_r(),   reversed_product()};
}

}  // namespace assay
