#include "oracle/sfda/realification.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "oracle/sfda/pair_blocks.hpp"
#include "oracle/sfda/recurrence.hpp"
#include "oracle/sfda/wy.hpp"
#include "properties/identity.hpp"
#include "properties/rank.hpp"
#include "properties/same.hpp"
#include "properties/sfda/inputs.hpp"
#include "properties/sfda/laws.hpp"

namespace assay {
namespace {

using namespace sfda;

Law homomorphism() {
  return complex_identity(
      "sfda.realification_keeps_sums_products_and_adjoints",
      "R(A + B) = R(A) + R(B), R(A B) = R(A) R(B), R(A*) = R(A)^T, R(A) (Re x, Im x) = (Re Ax, Im Ax)",
      "[SFDA] Lemma A.1; [SFDA-notes] s3.6; SFD-012, SFD-091", 2, 8, []<class K>(Source<K>& from) {
        const std::size_t m = from.size("m", 1, 3), n = from.size("n", 1, 3);
        const Matrix<K> A = from.values(m, n), C = from.values(m, n), B = from.values(n, 2);
        return all_of({same("sum", realified(A + C), realified(A) + realified(C)),
                       same("product", realified(A * B), realified(A) * realified(B)),
                       same("adjoint", realified(adjoint(A)), transpose(realified(A))),
                       same("action", realified(A) * packed(B), packed(A * B))});
      });
}

Law rank_one() {
  return complex_identity(
      "sfda.realified_rank_one_erasure_has_two_terms",
      "a = (Re k, Im k): R(k k*) = a a^T + (Ja)(Ja)^T, a^T J a = 0, |Ja|^2 = |a|^2",
      "[SFDA-notes] s3.6; SFD-087, SFD-088", 2, 12, []<class K>(Source<K>& from) {
        using R = RealOf<K>;
        const std::size_t d = from.size("d", 1, 5);
        const Matrix<K> k = from.values(d, 1);
        const Matrix<R> a = packed(k), J = imaginary_unit<R>(d), b = J * a;
        const auto product = [](const Matrix<R>& x, const Matrix<R>& y) { return (transpose(x) * y)(0, 0); };
        return all_of({same("R(k k*)", realified(k * adjoint(k)), a * transpose(a) + b * transpose(b)),
                       same("a . Ja", product(a, b), R(0)), same("|Ja|^2", product(b, b), product(a, a))});
      });
}

/// Over Q, as a field has vectors of norm zero.
Law real_rank_two() {
  return {"sfda.a_complex_rank_one_has_real_rank_two",
          "k != 0: rank R(k k*) = 2 while a a^T has rank 1; k = 0 has rank 0",
          "[SFDA-notes] s3.6; SFD-088",
          Proof::tested,
          0,
          16,
          {check_over<GaussianRational>([]<class K>(Source<K>& from) {
            const std::size_t d = from.size("d", 1, 4);
            Matrix<K> k = from.values(d, 1);
            k(from.below(d), 0) = K(1) + k(0, 0) * conj(k(0, 0));
            const auto a = packed(k);
            const Matrix<K> zero(d, 1);
            return all_of({same("rank of R(k k*)", rank(realified(k * adjoint(k))), std::size_t{2}),
                           same("rank of a a^T", rank(a * transpose(a)), std::size_t{1}),
                           same("k = 0", rank(realified(zero * adjoint(zero))), std::size_t{0})});
          })}};
}

Law smallest_example() {
  return settled<GaussianRational>("sfda.the_key_one_erases_both_real_coordinates",
                                   "k = 1: R(k k*) = I_2, while a a^T = diag(1, 0)", "[SFDA-notes] s3.6; SFD-089",
                                   []<class K>(Source<K>&) {
                                     using R = RealOf<K>;
                                     const Matrix<K> k(1, 1, K(1));
                                     const Matrix<R> a = packed(k);
                                     Matrix<R> first(2, 2);
                                     first(0, 0) = R(1);
                                     return all_of({same("R(k k*)", realified(k * adjoint(k)), identity_matrix<R>(2)),
                                                    same("a a^T", a * transpose(a), first)});
                                   });
}

Law doubled_rank() {
  return complex_generic_identity(
      "sfda.real_rank_of_a_correction_is_twice_its_complex_rank",
      "rank R(P_C - Gamma_C) = 2 min(C, d), and rank R(A) = 2 rank A for A = U V of rank r",
      "[SFDA-notes] s3.6; SFD-090", 2 * 5 * (4 * token_degree), 4, []<class K>(Source<K>& from) {
        const std::size_t d = from.size("d", 1, 4), C = from.size("C", 0, 4), r = from.size("r", 0, 4);
        const Tokens<K> x = diagonal_tokens(from, C, d, 1);
        auto f = empty_factors<K, Diagonal<K>>(d);
        for (std::size_t t = 0; t < C; ++t) f = extended(f, x.lambda[t], tied<K>(x.lambda[t], x.k.row(t), x.beta[t]));
        const Matrix<K> A = from.values(d, r) * from.values(r, d);
        return all_of({same("correction", rank(realified(f.Y * f.M * adjoint(f.W))), 2 * std::min(C, d)),
                       same("A", rank(realified(A)), 2 * rank(A))});
      });
}

Law another_model() {
  return complex_identity(
      "sfda.real_delta_with_rotations_lacks_half_of_the_erasure",
      "R((I - beta k k*) Lambda) = (I - beta a a^T) R(Lambda) - beta (Ja)(Ja)^T R(Lambda)",
      "[SFDA] s1, eq. 2-3; [SFDA-notes] s3.6; SFD-091", token_degree, 8, []<class K>(Source<K>& from) {
        using R = RealOf<K>;
        const std::size_t d = from.size("d", 1, 4);
        const std::vector<K> k = from.values(d);
        const R beta = from.real();
        const Diagonal<K> lambda{from.values(d)};
        const Matrix<R> a = packed(column<K>(k)), b = imaginary_unit<R>(d) * a, turn = realified(dense<K>(lambda));
        return same("A", realified(transition<K>(lambda, k, beta)),
                    rank_one_model(a, beta, turn) - beta * (b * transpose(b) * turn));
      });
}

Law not_equal() {
  return complex_generic_identity(
      "sfda.real_delta_with_rotations_is_not_complex_sfda",
      "(I - beta a a^T) R(Lambda) differs from R((I - beta k k*) Lambda) at generic inputs; they agree at beta = 0",
      "[SFDA] s1, eq. 2-3; [SFDA-notes] s3.6; SFD-091", token_degree, 4, []<class K>(Source<K>& from) {
        using R = RealOf<K>;
        const std::size_t d = from.size("d", 1, 4);
        const std::vector<K> k = from.values(d);
        const Diagonal<K> lambda{from.values(d)};
        const Matrix<R> a = packed(column<K>(k)), turn = realified(dense<K>(lambda));
        const R beta = from.real();
        return all_of(
            {differs("the rank-one model", rank_one_model(a, beta, turn), realified(transition<K>(lambda, k, beta))),
             same("beta = 0", rank_one_model(a, R(0), turn), realified(transition<K>(lambda, k, R(0))))});
      });
}

/// The model of one real key with rotations is Λ − u r* over the reals: its own WY theorem holds.
Law its_own_factors() {
  return identity("sfda.real_delta_with_rotations_has_factors_of_its_own",
                  "A = R(Lambda) - beta a (R(Lambda)^T a)^T: P = Gamma - Y M W^T with blocks of two as Lambda",
                  "[SFDA] Thm 4.2; [SFDA-notes] s3.6; SFD-091", 5 * (token_degree + 4), 6,
                  []<class K>(Source<K>& from) {
                    const std::size_t d = 2 * from.size("pairs", 1, 3), T = from.size("T", 0, 5);
                    auto f = empty_factors<K, PairBlocks<K>>(d);
                    Matrix<K> P = identity_matrix<K>(d);
                    for (std::size_t t = 0; t < T; ++t) {
                      auto turn = PairBlocks<K>::identity(d);
                      for (auto& block : turn.blocks) block = rotation(from.angle(), from.value());
                      const std::vector<K> a = from.values(d);
                      const K beta = from.value();
                      f = extended(f, turn, tied<K>(turn, a, beta));
                      P = rank_one_model(column<K>(a), beta, dense<K>(turn)) * P;
                    }
                    return same("P", transfer(f), P);
                  });
}

Law real_beta_only() {
  return complex_generic_identity(
      "sfda.realification_of_an_erasure_needs_a_real_beta",
      "R(beta k k*) = beta (a a^T + (Ja)(Ja)^T) for real beta; for complex beta its real part is not enough",
      "own, on [SFDA-notes] s3.6; SFD-092", 3, 4, []<class K>(Source<K>& from) {
        const std::size_t d = from.size("d", 1, 4);
        const Matrix<K> k = from.values(d, 1), kk = k * adjoint(k);
        const K beta = from.free();
        return all_of({same("real beta", realified(K(beta.re) * kk), beta.re * realified(kk)),
                       differs("Re beta", beta.re * realified(kk), realified(beta * kk))});
      });
}

}  // namespace

std::vector<Law> sfda_realification_laws() {
  return {homomorphism(),  rank_one(),  real_rank_two(),   smallest_example(), doubled_rank(),
          another_model(), not_equal(), its_own_factors(), real_beta_only()};
}

}  // namespace assay
