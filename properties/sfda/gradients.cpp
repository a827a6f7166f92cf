#include "oracle/sfda/gradients.hpp"

#include <cstddef>
#include <vector>

#include "oracle/axioms.hpp"
#include "oracle/sfda/chunk.hpp"
#include "oracle/sfda/decay_phase.hpp"
#include "properties/identity.hpp"
#include "properties/same.hpp"
#include "properties/sfda/gradient_trial.hpp"
#include "properties/sfda/laws.hpp"

namespace assay {
namespace {

using namespace sfda;

constexpr std::int64_t longest = 4;

/// o has degree 4 T + 2; a derivative no more; the adjoint and the direction one each.
constexpr std::uint32_t gradient_degree = longest * token_degree + 4;

template <class K>
GradientTrial<K> small_trial(Source<K>& from, const Moving& moves) {
  const std::size_t T = from.size("T", 0, longest), d = from.size("d", 1, 4), dv = from.size("dv", 1, 3);
  return {from, T, d, dv, moves};
}

Law one_gradient(std::string_view name, std::string_view statement, Moving moves) {
  return complex_identity(name, statement, "chain rule on [SFDA] eq. 13; SFD-001", gradient_degree, 8,
                          [moves]<class K>(Source<K>& from) {
                            const GradientTrial<K> trial = small_trial(from, moves);
                            return same("<gradient, direction>", trial.along(trial.closed_form()), trial.by_duals());
                          });
}

Law long_run() {
  const std::uint32_t T = 48;
  return complex_generic_identity(
      "sfda.gradient_of_a_long_recurrence_equals_its_dual",
      "T = 48, d = 16, dv = 8: all inputs and S_0 move at once, one direction", "chain rule on [SFDA] eq. 13; SFD-001",
      T * token_degree + 4, 1, []<class K>(Source<K>& from) {
        const Moving all{true, true, true, true, true, true};
        const GradientTrial<K> trial(from, T, 16, 8, all);
        return same("<gradient, direction>", trial.along(trial.closed_form()), trial.by_duals());
      });
}

Law by_chunks() {
  return complex_identity(
      "sfda.gradient_of_the_recurrence_is_that_of_the_chunk_form",
      "dual numbers through factors, write summaries and prefix outputs, two chunks, against the reverse scan",
      "chain rule on [SFDA] Thm 4.4-4.5; SFD-036, SFD-038", gradient_degree, 6, []<class K>(Source<K>& from) {
        const GradientTrial<K> trial = small_trial(from, {true, true, true, true, true, true});
        const std::vector<std::size_t> lengths{trial.T / 2, trial.T - trial.T / 2};
        using D = Cx<Dual<RealOf<K>>>;
        const Run<D> run = chunked<D>(trial.moving_tokens(), moving(trial.S, trial.direction.initial), lengths);
        return same("<gradient, direction>", trial.along(trial.closed_form()), trial.of_run(run));
      });
}

/// G_0 = P* G_T + Σ_t P_t* q_t dO_t*, each product from its prefix's factors.
Law state_gradient() {
  return complex_identity(
      "sfda.gradient_of_the_initial_state_goes_back_through_the_factors",
      "dS_0 = P_T* dS + sum_t P_t* q_t dO_t*, P* X = Gamma* X - W (M* (Y* X))",
      "chain rule on [SFDA] Thm 4.4-4.5; SFD-038", gradient_degree, 8, []<class K>(Source<K>& from) {
        const GradientTrial<K> trial = small_trial(from, {});
        Matrix<K> want = carried_back(summarised(trial.x, 0, trial.T).factors, trial.d_final);
        for (std::size_t t = 0; t < trial.T; ++t)
          want = want + carried_back(summarised(trial.x, 0, t + 1).factors, column<K>(trial.x.q.row(t))) *
                            adjoint(column<K>(trial.d_output.row(t)));
        return same("dS_0", trial.closed_form().initial, want);
      });
}

/// α, log α and θ move: the tangent of log α moves α by α times itself.
Law decay_and_angle() {
  return complex_identity(
      "sfda.gradients_of_decay_and_phase_equal_their_duals",
      "d alpha = Re<dlambda, e^{i theta}>, d log alpha = alpha d alpha, d theta = -Im<dlambda, lambda>; 0, 0 at alpha "
      "= 0",
      "chain rule on [SFDA] eq. 13; SFD-001", 12, 12, []<class K>(Source<K>& from) {
        using R = RealOf<K>;
        const R alpha = from.real(), along_alpha = from.real(), along_log = from.real(), along_theta = from.real();
        const CircleAngle<R> theta = from.angle();
        const K d_lambda = from.value();
        const auto moved = [&](const R& tangent, const R& angle) {
          const Cx<Dual<R>> lambda = polar(Dual<R>(alpha, tangent), axiom::moving(theta, angle));
          return R(d_lambda.re * lambda.re.tangent + d_lambda.im * lambda.im.tangent);
        };
        const auto g = decay_phase_gradients(d_lambda, alpha, polar(R(1), theta));
        const auto at_zero = decay_phase_gradients(d_lambda, R(0), polar(R(1), theta));
        return all_of({same("alpha", R(g.alpha * along_alpha), moved(along_alpha, R(0))),
                       same("log alpha", R(g.log_alpha * along_log), moved(R(alpha * along_log), R(0))),
                       same("theta", R(g.theta * along_theta), moved(R(0), along_theta)),
                       same("log alpha at 0", at_zero.log_alpha, R(0)), same("theta at 0", at_zero.theta, R(0))});
      });
}

/// Multiplying S_0 and all v by the same phase turns o back: Re⟨·⟩ is unchanged if dO and dS turn along.
Law phase_direction() {
  return complex_generic_identity(
      "sfda.gradients_follow_a_common_phase",
      "q and dO turned by e^{i t}: dq turns with them, the other gradients stay", "own, on [SFDA] eq. 13; SFD-001",
      gradient_degree + 6, 6, []<class K>(Source<K>& from) {
        GradientTrial<K> trial = small_trial(from, {});
        const Gradients<K> before = trial.closed_form();
        const K phase = polar(RealOf<K>(1), from.angle());
        trial.x.q = phase * trial.x.q;
        trial.d_output = phase * trial.d_output;
        const Gradients<K> after = trial.closed_form();
        return all_of({same("dq", after.q, phase * before.q), same("dk", after.k, before.k),
                       same("dv", after.v, before.v), same("dbeta", after.beta, before.beta),
                       same("dlambda", after.lambda, before.lambda), same("dS_0", after.initial, before.initial)});
      });
}

}  // namespace

std::vector<Law> sfda_gradients_laws() {
  return {
      one_gradient("sfda.gradient_of_queries_equals_its_dual", "dq = S_t dO_t", {.q = true}),
      one_gradient("sfda.gradient_of_keys_equals_its_dual", "dk = beta (G e - S' h), h = G* k, e = v - S'* k",
                   {.k = true}),
      one_gradient("sfda.gradient_of_values_equals_its_dual", "dv = beta G* k", {.v = true}),
      one_gradient("sfda.gradient_of_strengths_equals_its_dual", "dbeta = Re<e, h>", {.beta = true}),
      one_gradient("sfda.gradient_of_controls_equals_its_dual",
                   "dlambda_i = sum_j dS'_ij conj(S_ij), dS' = (I - beta k k*) G", {.lambda = true}),
      one_gradient("sfda.gradient_of_the_initial_state_equals_its_dual", "dS_0 = Lambda_1* dS'_1", {.initial = true}),
      long_run(),
      by_chunks(),
      state_gradient(),
      decay_and_angle(),
      phase_direction()};
}

}  // namespace assay
