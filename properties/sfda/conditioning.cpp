#include <cmath>
#include <cstddef>
#include <vector>

#include <fmt/format.h>

#include "oracle/sfda/interactions.hpp"
#include "oracle/sfda/stability.hpp"
#include "oracle/sfda/token_update.hpp"
#include "oracle/sfda/wy.hpp"
#include "properties/enumerated.hpp"
#include "properties/identity.hpp"
#include "properties/same.hpp"
#include "properties/sfda/computations.hpp"
#include "properties/sfda/inputs.hpp"
#include "properties/sfda/laws.hpp"

namespace assay {
namespace {

using namespace sfda;

template <class K>
Matrix<K> strictly_lower(Source<K>& from, std::size_t C) {
  Matrix<K> L(C, C);
  for (std::size_t i = 0; i < C; ++i)
    for (std::size_t j = 0; j < i; ++j) L(i, j) = from.value();
  return L;
}

Law neumann() {
  return complex_identity("sfda.m_is_a_finite_neumann_series",
                          "M = (I + L)^{-1} D: (I + L) M = D, M = D - L M, and M = sum_{n<C} (-L)^n D as L^C = 0",
                          "[SFDA] Prop. 6.4; [SFDA-notes] s3.3; SFD-060", 7, 8, []<class K>(Source<K>& from) {
                            const std::size_t C = from.size("C", 1, 6);
                            const Matrix<K> L = strictly_lower(from, C), I = identity_matrix<K>(C), zero(C, C);
                            Matrix<K> D(C, C);
                            for (std::size_t i = 0; i < C; ++i) D(i, i) = K(from.real());
                            const Matrix<K> M = unit_lower_inverse(L) * D;
                            Matrix<K> series = zero, term = D;
                            for (std::size_t n = 0; n < C; ++n) {
                              series = series + term;
                              term = zero - L * term;
                            }
                            return all_of({same("(I + L) M", (I + L) * M, D), same("M", D - L * M, M),
                                           same("series", series, M), same("L^C D", term, zero)});
                          });
}

/// From M = D − L M: ‖M x‖ ≤ ‖x‖ + η ‖M x‖. L is scaled so that Σ (|Re| + |Im|), which bounds ‖L‖, is η.
Law bounded_inverse() {
  return {"sfda.small_interactions_keep_m_bounded",
          "|L| <= eta < 1, |D| <= 1: (1 - eta) |M x| <= |x| for every x; eta = 1 is refused",
          "[SFDA] Prop. 6.4; [SFDA-notes] s3.3; SFD-060",
          Proof::tested,
          0,
          16,
          {check_over<GaussianRational>([]<class K>(Source<K>& from) {
            using R = RealOf<K>;
            const std::size_t C = from.size("C", 1, 5);
            Matrix<K> L = strictly_lower(from, C);
            R size(0);
            for (std::size_t i = 0; i < C; ++i)
              for (const K& entry : L.row(i)) size = size + abs(entry.re) + abs(entry.im);
            const R eta = R(static_cast<int>(from.below(10)), 10);
            if (size != R(0)) L = K(R(eta / size)) * L;
            Matrix<K> D(C, C);
            for (std::size_t i = 0; i < C; ++i) D(i, i) = K(R(static_cast<int>(from.below(11)), 10));
            const Matrix<K> x = from.values(C, 1), Mx = unit_lower_inverse(L) * (D * x);
            R before(0), after(0);
            for (std::size_t i = 0; i < C; ++i) before = before + abs2(x(i, 0)), after = after + abs2(Mx(i, 0));
            const R bound = inverse_bound(eta);
            return all_of({holds_if(!(bound * bound * before < after), "|M x| beyond 1/(1 - eta)"),
                           refused("eta = 1", [] { inverse_bound(R(1)); })});
          })}};
}

/// L of C equal unit keys at Λ = I: β below the diagonal, nothing else.
Matrix<Rational> equal_key_interactions(std::size_t C, const Rational& beta) {
  using Q = Rational;
  const std::vector<Q> k{Q(3, 5), Q(4, 5)};
  const Diagonal<Q> still = Diagonal<Q>::identity(2);
  const std::vector<Diagonal<Q>> controls(C, still);
  const std::vector<Correction<Q>> corrections(C, tied<Q>(still, k, beta));
  return interactions<Q, Diagonal<Q>>(controls, corrections);
}

Outcome equal_keys() {
  using Q = Rational;
  for (const std::size_t C : {1, 2, 3, 8, 24}) {
    const Matrix<Q> L = equal_key_interactions(C, Q(2)), M = unit_lower_inverse(L);
    const Matrix<Q> single = unit_lower_inverse(equal_key_interactions(C, Q(1)));
    FirstFailure found;
    for (std::size_t i = 0; i < C; ++i)
      for (std::size_t j = 0; j < i; ++j) {
        found.note(same("L", L(i, j), Q(2)));
        found.note(same("M", M(i, j), Q((i - j) % 2 == 0 ? 2 : -2)));
        found.note(same("M at beta = 1", single(i, j), Q(i == j + 1 ? -1 : 0)));
      }
    Matrix<Q> x(C, 1);
    for (std::size_t i = 0; i < C; ++i) x(i, 0) = Q(i % 2 == 0 ? 1 : -1);
    const Matrix<Q> y = M * x;
    const std::int64_t n = static_cast<std::int64_t>(C);
    found.note(same("|M x|^2", (transpose(y) * y)(0, 0), Q(n * (4 * n * n - 1), 3)));
    if (found.outcome().kind != Outcome::Kind::holds) return found.outcome();
  }
  const Matrix<Q> A = erasure<Q>(std::vector<Q>{Q(3, 5), Q(4, 5)}, Q(2));
  return same("A^T A", transpose(A) * A, identity_matrix<Q>(2));
}

/// One token of β = 1/2: M of the recursion against (I + L)^{-1} D_β of the condition bound.
Finding two_diagonals(const Published&) {
  using Q = Rational;
  const std::vector<Q> k{Q(3, 5), Q(4, 5)}, beta{Q(1, 2)};
  const Diagonal<Q> still = Diagonal<Q>::identity(2);
  const auto f = extended(empty_factors<Q, Diagonal<Q>>(2), still, tied<Q>(still, k, beta[0]));
  const Matrix<Q> keyed = keyed_inverse<Q>(Matrix<Q>(1, 1), beta);
  const bool differ = f.M(0, 0) != keyed(0, 0);
  return {differ ? ClaimVerdict::inconsistent : ClaimVerdict::proven,
          fmt::format("one token, beta = 1/2: theorem 4.2 has M = {}, proposition 6.4 has M = {}", text_of(f.M(0, 0)),
                      text_of(keyed(0, 0)))};
}

/// ‖M‖₂ by power iteration on Mᵀ M, from below; converged to the digits shown.
double spectral_norm(const Matrix<double>& M) {
  Matrix<double> x(M.cols(), 1, 1.0);
  for (std::size_t i = 0; i < x.rows(); ++i) x(i, 0) = (i % 2 == 0 ? 1.0 : -1.0) * (1 + static_cast<double>(i));
  double norm = 0;
  for (int step = 0; step < 400; ++step) {
    const Matrix<double> y = transpose(M) * (M * x);
    norm = std::sqrt((transpose(y) * y)(0, 0));
    x = (1 / norm) * y;
  }
  return std::sqrt(norm);
}

Outcome measured_norms() {
  const auto lower = [](std::size_t C, double beta) {
    Matrix<double> L(C, C);
    for (std::size_t i = 0; i < C; ++i)
      for (std::size_t j = 0; j < i; ++j) L(i, j) = beta;
    return L;
  };
  std::string text;
  for (const auto& [C, printed] : {std::pair{2, 2.41}, {8, 10.15}, {32, 40.7}, {128, 163.0}}) {
    const double norm = spectral_norm(unit_lower_inverse(lower(static_cast<std::size_t>(C), 2)));
    if (std::abs(norm - printed) > printed / 250) return Outcome::fails(fmt::format("|M| = {} at C = {}", norm, C));
    text += fmt::format("{}|M| = {:.2f} at C = {}", text.empty() ? "" : ", ", norm, C);
  }
  const double L = spectral_norm(lower(128, 1)), M = spectral_norm(unit_lower_inverse(lower(128, 1)));
  if (!(L > 80 && L < 82 && M < 2 && M > 1.99))
    return Outcome::fails(fmt::format("beta = 1: |L| = {}, |M| = {}", L, M));
  return Outcome::holds(text + fmt::format("; beta = 1, C = 128: |L| = {:.1f}, |M| = {:.4f}", L, M));
}

}  // namespace

std::vector<Law> sfda_conditioning_laws() {
  Law measured =
      enumerated("sfda.m_of_equal_keys_grows_like_its_tokens",
                 "beta = 2: |M| = 2.41, 10.15, 40.7, 163 at C = 2, 8, 32, 128; beta = 1: |L| = 81, |M| < 2 at 128",
                 "own, on [SFDA] Prop. 6.4; SFD-061", "double", measured_norms);
  measured.proof = Proof::tested;
  return {neumann(), bounded_inverse(),
          enumerated(
              "sfda.non_expansive_tokens_may_have_large_factors",
              "equal unit keys, Lambda = I, beta = 2: A^T A = I, L_ij = 2, M_ij = +-2, |M x|^2 = (4 C^2 - 1)/3 |x|^2",
              "[SFDA] Prop. 6.4; [SFDA-notes] s3.3; SFD-061, SFD-063", "Q", equal_keys),
          measured};
}

std::vector<Computation> sfda_conditioning_computations() {
  return {{"sfda.diagonals_of_m_in_theorem_and_proposition", "M of one token by both definitions",
           "[SFDA] Thm 4.2, Prop. 6.4; [SFDA-notes] s2.4, s3.3", two_diagonals}};
}

}  // namespace assay
