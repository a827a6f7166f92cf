#include "oracle/sfda/stability.hpp"

#include <cstddef>
#include <vector>

#include "properties/identity.hpp"
#include "properties/same.hpp"
#include "properties/sfda/bounded_inputs.hpp"
#include "properties/sfda/laws.hpp"

namespace assay {
namespace {

using namespace sfda;

Law non_expansive() {
  return complex_certified_inequality(
      "sfda.transition_does_not_expand",
      "|x|^2 - |A x|^2 = sum (1 - |lambda_i|^2) |x_i|^2 + beta (2 - beta k*k) |k* Lambda x|^2, >= 0 where |lambda| <= "
      "1, "
      "0 <= beta k*k <= 2",
      "[SFDA] Prop. 6.3; [SFDA-notes] s3.3; SFD-051", 48, 12, []<class K>(Source<K>& from) {
        using R = RealOf<K>;
        const std::size_t d = from.size("d", 1, 4);
        const std::vector<K> k = from.values(d);
        const R beta = bounded_strength(from, k), strength = beta * norm_of(k);
        const Diagonal<K> lambda = bounded_control(from, d);
        const Matrix<K> x = from.values(d, 1), along = adjoint(column<K>(k)) * lambda.times(x);
        const R loss = square(x) - square(transition<K>(lambda, k, beta) * x);
        FirstFailure found;
        found.note(same("loss", loss, R(taken(lambda, x) + beta * (R(2) - strength) * square(along))));
        if constexpr (OrderedScalar<R>) {
          found.note(holds_if(!(loss < R(0)), "grows by " + text_of(R(-loss))));
          found.note(holds_if(norm_of(k) == R(0) || (!(strength < R(0)) && !(R(2) < strength)), "outside the domain"));
        }
        return found.outcome();
      });
}

/// x = Λ* y with y across k: Λ x = y where |λ| = 1.
Law unitary_control() {
  return complex_identity(
      "sfda.a_unitary_control_keeps_the_length_of_what_it_takes_across_the_key",
      "|lambda| = 1, d >= 2: A x = y and |A x| = |x| for x = Lambda* y, k* y = 0; some y is not 0",
      "own, on [SFDA-notes] s4.1; SFD-098", 48, 8, []<class K>(Source<K>& from) {
        using R = RealOf<K>;
        const std::size_t d = from.size("d", 2, 4);
        const std::vector<K> key = from.values(d);
        const std::vector<R> unit(d, R(1));
        const Diagonal<K> lambda = decay_and_phase<CircleAngle<R>, R>(unit, from.angles(d));
        Matrix<K> y(d, 1);
        y(0, 0) = conj(key[1]);
        y(1, 0) = -conj(key[0]);
        if (key[0] == K(0) && key[1] == K(0)) y(0, 0) = K(1);
        const Matrix<K> x = lambda.adjoint_times(y), Ax = transition<K>(lambda, key, from.real()) * x;
        return all_of({same("k* y", adjoint(column<K>(key)) * y, Matrix<K>(1, 1)), same("A x", Ax, y),
                       same("|A x|^2", square(Ax), square(x)), differs("y = 0", y, Matrix<K>(d, 1))});
      });
}

Law spectrum() {
  return complex_identity(
      "sfda.erasure_scales_its_key_and_leaves_the_rest",
      "(I - beta k k*) k = (1 - beta k*k) k, and x with k* x = 0 is unchanged; for d = 1 none is left",
      "[SFDA] Prop. 6.3; [SFDA-notes] s3.3; SFD-052", 7, 8, []<class K>(Source<K>& from) {
        using R = RealOf<K>;
        const std::size_t d = from.size("d", 1, 4);
        const std::vector<K> key = from.values(d);
        const R beta = from.real(), norm = norm_of(key);
        const Matrix<K> k = column<K>(key), y = from.values(d, 1), H = erasure<K>(key, beta);
        const Matrix<K> across = K(norm) * y - k * (adjoint(k) * y);
        FirstFailure found;
        found.note(same("H k", H * k, K(R(1) - beta * norm) * k));
        found.note(same("k* x", adjoint(k) * across, Matrix<K>(1, 1)));
        found.note(same("H x", H * across, across));
        if (d == 1) found.note(same("across", across, Matrix<K>(1, 1)));
        return found.outcome();
      });
}

/// |H x|² ≤ N² |x|² for every x, and an x that reaches N² |x|²: k itself, or one across it.
Law erasure_norm_is_sharp() {
  return {
      "sfda.norm_of_an_erasure_is_the_larger_of_one_and_its_factor",
      "d >= 2: |I - beta k k*| = max(1, |1 - beta k*k|), reached: 1 + e at beta k*k = 2 + e, and above 1 for beta < 0",
      "own, on [SFDA] Prop. 6.3; SFD-053",
      Proof::tested,
      0,
      16,
      {check_over<GaussianRational>([]<class K>(Source<K>& from) {
        using R = RealOf<K>;
        const std::size_t d = from.size("d", 2, 4);
        std::vector<K> key = from.values(d);
        key[0] = K(1);
        const R norm = norm_of(key);
        FirstFailure found;
        for (const R& strength :
             {R(0), R(1, 2), R(1), R(2), R(R(2) + abs2(from.free())), R(-abs2(from.free()) - R(1))}) {
          const R N = erasure_norm(strength);
          const Matrix<K> H = erasure<K>(key, R(strength / norm)), k = column<K>(key);
          const Matrix<K> y = from.values(d, 1), x = from.values(d, 1);
          const Matrix<K> across = K(norm) * y - k * (adjoint(k) * y);
          found.note(holds_if(!(N * N * square(x) < square(H * x)), "more than the norm"));
          const bool along = R(1) < N;
          found.note(same("reached", square(H * (along ? k : across)), R(N * N * square(along ? k : across))));
          if (R(2) < strength) found.note(same("beyond 2", N, R(strength - R(1))));
          if (strength < R(0)) found.note(same("below 0", N, R(R(1) - strength)));
          if (strength == R(2)) found.note(same("isometry", adjoint(H) * H, identity_matrix<K>(d)));
        }
        return found.outcome();
      })}};
}

}  // namespace

std::vector<Law> sfda_stability_laws() {
  return {non_expansive(), unitary_control(), spectrum(), erasure_norm_is_sharp()};
}

}  // namespace assay
