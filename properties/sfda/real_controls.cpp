#include <cstddef>
#include <vector>

#include "arith/integer_power.hpp"
#include "oracle/sfda/pair_blocks.hpp"
#include "oracle/sfda/token_update.hpp"
#include "properties/identity.hpp"
#include "properties/same.hpp"
#include "properties/sfda/laws.hpp"

/// What a real diagonal control cannot do, and what that does not say of the whole real delta rule.
namespace assay {
namespace {

using namespace sfda;

/// |λ| > 1 makes |λ|^m > 1 and |λ| < 1 makes it < 1, so λ^m = 1 leaves λ = ±1, of order at most 2.
Law real_orders() {
  return inequality(
      "sfda.real_numbers_have_period_one_or_two",
      "lambda^m = 1 only for lambda = 1 or lambda = -1 and even m: |lambda| above 1 grows, below 1 shrinks",
      "own, on [SFDA] s1, s7; SFD-016", 32, []<class K>(Source<K>& from) {
        const K lambda = from.value(), size = lambda < K(0) ? -lambda : lambda;
        K power(1);
        FirstFailure found;
        for (int m = 1; m <= 12; ++m) {
          const K before = power;
          power = power * size;
          found.note(holds_if(size == K(1) || size == K(0) || (K(1) < size) == (before < power), "power"));
          const bool returns = integer_power(lambda, m) == K(1);
          found.note(same("returns", returns, lambda == K(1) || (lambda == K(-1) && m % 2 == 0)));
        }
        return found.outcome();
      });
}

/// E A = H E with H = E (I − β k kᵀ) E symmetric and E = D^{1/2}: A is similar to a symmetric matrix where E has an
/// inverse, so its spectrum is real and an input repeated has period 1 or 2.
Law real_spectrum() {
  return identity("sfda.one_real_transition_is_similar_to_a_symmetric_matrix",
                  "A = (I - beta k k^T) E^2, E diagonal: E A = H E with H = E (I - beta k k^T) E = H^T",
                  "own, on [SFDA] s1, s7; SFD-016", 6, 8, []<class K>(Source<K>& from) {
                    const std::size_t d = from.size("d", 1, 5);
                    const std::vector<K> k = from.values(d);
                    const K beta = from.value();
                    const Diagonal<K> root{from.values(d)};
                    const Matrix<K> E = dense<K>(root), A = transition<K>(root * root, k, beta);
                    const Matrix<K> H = E * erasure<K>(k, beta) * E;
                    return all_of({same("E A", E * A, H * E), same("H^T", transpose(H), H)});
                  });
}

/// k_j at angle θ_j: I − 2 k kᵀ reflects across the line at θ + π/2, so two of them turn by 2 (θ_2 − θ_1).
Law two_reflections() {
  return identity("sfda.two_real_erasures_of_strength_two_make_a_rotation",
                  "(I - 2 k' k'^T)(I - 2 k k^T) = R(2 (t' - t)) for unit keys at t and t': real delta rules can turn",
                  "own, on [SFDA] s1, s7; SFD-016, SFD-068", 8, 8, []<class K>(Source<K>& from) {
                    const CircleAngle<K> first = from.angle(), second = from.angle();
                    const auto mirror = [](const CircleAngle<K>& t) {
                      return erasure<K>(std::vector<K>{t.cosine, t.sine}, K(2));
                    };
                    const PairBlock<K> turn = rotation(second - first + second - first);
                    Matrix<K> want(2, 2);
                    want(0, 0) = turn.a, want(0, 1) = turn.b, want(1, 0) = turn.c, want(1, 1) = turn.d;
                    return same("product", mirror(second) * mirror(first), want);
                  });
}

/// Unit keys (1, 0) and (3/5, 4/5) turn by 2 arg(3 + 4i), no multiple of π: the period is not 1 or 2.
Law no_theorem() {
  return settled<Rational>(
      "sfda.a_real_delta_rule_has_a_product_of_no_period_two",
      "P = (I - 2 k' k'^T)(I - 2 k k^T), k = (1, 0), k' = (3/5, 4/5): P^n != I for n = 1 ... 32 and |P x| = |x|",
      "own, on [SFDA] s1, s7; [SFDA-notes] s1; SFD-016a", [](Source<Rational>&) {
        using Q = Rational;
        const Matrix<Q> P =
            erasure<Q>(std::vector<Q>{Q(3, 5), Q(4, 5)}, Q(2)) * erasure<Q>(std::vector<Q>{Q(1), Q(0)}, Q(2));
        Matrix<Q> power = identity_matrix<Q>(2);
        FirstFailure found;
        found.note(same("P^T P", transpose(P) * P, power));
        for (int n = 1; n <= 32; ++n) {
          power = P * power;
          found.note(differs("period", power, identity_matrix<Q>(2)));
        }
        return found.outcome();
      });
}

}  // namespace

std::vector<Law> sfda_real_controls_laws() { return {real_orders(), real_spectrum(), two_reflections(), no_theorem()}; }

}  // namespace assay
