#include "oracle/sanatan/gradients.hpp"

#include <cstddef>

#include "properties/identity.hpp"
#include "properties/same.hpp"
#include "properties/sanatan/gradient_trial.hpp"
#include "properties/sanatan/laws.hpp"

namespace assay {
namespace {

using namespace sanatan;

/// T = 4 rows, d = 2, p = 4, positions up to 6. A turned point has degree 2 + 2 · 6, a score d times two of them and
/// two labels, a weight p times that and c, a row's N or D all T weights and v. A derivative has twice that, the slope
/// (1 - r²) γ (c + s) with its direction, 12, and once more the denominators of a row's angles, 24. T rows add up.
constexpr std::uint32_t turned_point = 2 + 2 * 6;
constexpr std::uint32_t score = 2 * (2 * turned_point + 2);
constexpr std::uint32_t row = 4 * 4 * (score + 1) + 1;
constexpr std::uint32_t gradient_degree = 4 * (2 * row + 12 + 24) + 1;

constexpr Channels all_channels[] = {Channels::six, Channels::four, Channels::three};

/// The closed form against dual numbers, for p = 1..4 and 6, 4 (clipped by free marks) and 3 channels.
Law parallel_gradient(std::string_view name, std::string_view statement, Moving moves) {
  return identity(
      name, statement, "chain rule on [SANATAN] s3 eq. 2-8; SAN-022, SAN-039, SAN-045", gradient_degree, 8,
      [moves]<class K>(Source<K>& from) {
        const HeadSizes sizes = small_head(from);
        FirstFailure found;
        for (const Channels channels : all_channels) {
          for (int p = 1; p <= 4; ++p) {
            const GradientTrial<K> trial(from, sizes, channels, p, moves);
            found.note(same("<gradient, direction>", trial.parallel_by_closed_form(), trial.parallel_by_duals()));
          }
        }
        return found.outcome();
      });
}

Law recurrent_gradient(std::string_view name, std::string_view statement, Moving moves) {
  return identity(
      name, statement, "chain rule on [SANATAN] s3.4-3.5 eq. 9; SAN-057", gradient_degree, 8,
      [moves]<class K>(Source<K>& from) {
        const HeadSizes sizes = small_head(from);
        FirstFailure found;
        for (const Channels channels : all_channels) {
          const GradientTrial<K> trial(from, sizes, channels, 1, moves);
          found.note(same("<gradient, direction>", trial.recurrent_by_closed_form(), trial.recurrent_by_duals()));
        }
        return found.outcome();
      });
}

Law two_forms() {
  return identity(
      "sanatan.gradients_of_the_recurrence_are_those_of_the_parallel_form",
      "p = 1, empty initial state, no gradient of the final one: the reverse scan and the pairwise sums agree",
      "[SANATAN] s3.4-3.5 eq. 8-9; SAN-057", gradient_degree, 6, []<class K>(Source<K>& from) {
        GradientTrial<K> trial(from, small_head(from), Channels::six, 1, {});
        trial.rule.scale = K(1);
        const State<K> empty = empty_state<K>(trial.F, trial.dv);
        const auto want = parallel_gradients(trial.head, trial.rule, trial.open, trial.d_output, trial.tanh);
        const auto got = recurrent_gradients(trial.head, trial.rule.epsilon, empty, trial.d_output, empty, trial.tanh);
        return all_of({same("theta_q", got.theta_q, want.theta_q), same("theta_k", got.theta_k, want.theta_k),
                       same("v", got.v, want.v), same("omega", got.omega, want.omega),
                       same("lambda", got.lambda, want.lambda)});
      });
}

/// u -> θ -> o, so that φ'(u) is tested inside the chain: the circle point of φ(u) is free, its tangent is that of φ.
Law through_squash() {
  return identity("sanatan.gradient_of_the_projection_equals_its_dual",
                  "dq = phi'(|q|) dtheta_q for both signs of q, pi a free element",
                  "chain rule on [SANATAN] s3.1-3.2; SAN-011", gradient_degree, 6, []<class K>(Source<K>& from) {
                    GradientTrial<K> trial(from, small_head(from), Channels::six, 1, {});
                    const K pi = from.free();
                    const Matrix<K> u = from.values(trial.T, trial.d), tangent = from.values(trial.T, trial.d);
                    Matrix<K> size(trial.T, trial.d);
                    for (std::size_t t = 0; t < trial.T; ++t) {
                      for (std::size_t a = 0; a < trial.d; ++a) {
                        const Dual<K> x(u(t, a), tangent(t, a)), magnitude = axiom::magnitude(from.sign_of(u(t, a)), x);
                        size(t, a) = magnitude.value;
                        trial.direction.theta_q(t, a) = squash(x, magnitude, Dual<K>(pi)).tangent;
                      }
                    }
                    const auto d = parallel_gradients(trial.head, trial.rule, trial.open, trial.d_output, trial.tanh);
                    return same("<dq, direction>", paired(squash_gradients(size, pi, d.theta_q), tangent),
                                trial.parallel_by_duals());
                  });
}

Law raw_frequency() {
  const std::uint32_t degree = 5;
  return identity("sanatan.frequency_slope_is_the_derivative", "dlambda/dlambda_raw = lambda_max (1 - tanh^2)",
                  "chain rule on [SANATAN] s3.1-3.2; SAN-018", degree, 8, []<class K>(Source<K>& from) {
                    const axiom::Tanh<K> tanh([&] { return from.free(); });
                    const Dual<K> raw(from.value(), from.value());
                    const K maximum = from.value();
                    return same("tangent", frequency(raw, Dual<K>(maximum), tanh).tangent,
                                K(frequency_slope(raw.value, maximum, tanh) * raw.tangent));
                  });
}

/// Both tokens of a pair turn alike: adding one rotation to all of θ_q and θ_k changes no score, only labels.
Law shift_direction() {
  return generic_identity(
      "sanatan.gradients_along_a_common_rotation_are_those_of_the_labels",
      "sum of dtheta_q and dtheta_k over tokens is domega, dimension by dimension",
      "[SANATAN] App. A eq. 10-14; SAN-019, SAN-020", gradient_degree, 6, []<class K>(Source<K>& from) {
        const HeadSizes sizes = small_head(from);
        FirstFailure found;
        for (const Channels channels : all_channels) {
          const GradientTrial<K> trial(from, sizes, channels, 2, {});
          const auto d = parallel_gradients(trial.head, trial.rule, trial.open, trial.d_output, trial.tanh);
          for (std::size_t a = 0; a < trial.d; ++a) {
            K sum(0);
            for (std::size_t t = 0; t < trial.T; ++t) sum = sum + d.theta_q(t, a) + d.theta_k(t, a);
            found.note(same("sum", sum, d.omega[a]));
          }
        }
        return found.outcome();
      });
}

/// Features free, so D has degree 3 with c eps and z_0, N 3; every row has its own denominator, squared.
constexpr std::uint32_t long_run = 64;
constexpr std::uint32_t long_run_degree = 2 * 3 * long_run + 3 + 1;

Law long_recurrence() {
  return generic_identity(
      "sanatan.gradient_of_a_long_recurrence_equals_its_dual",
      "T = 64, F = 48, dv = 16, free features: dphi_q, dphi_k, dv, dS_0, dz_0 in one direction",
      "chain rule on [SANATAN] s3.4-3.5 eq. 9; SAN-057", long_run_degree, 2, []<class K>(Source<K>& from) {
        const std::size_t T = long_run, F = 48, dv = 16;
        const auto state = [&] { return State<K>{from.values(F, dv), from.values(F)}; };
        const Matrix<K> phi_q = from.values(T, F), phi_k = from.values(T, F), v = from.values(T, dv);
        const Matrix<K> dot_q = from.values(T, F), dot_k = from.values(T, F), dot_v = from.values(T, dv);
        const State<K> initial = state(), dot_initial = state(), d_final = state();
        const Matrix<K> d_output = from.values(T, dv);
        const K epsilon = from.nonzero();
        const auto run =
            recurrence(moving(phi_q, dot_q), moving(phi_k, dot_k), moving(v, dot_v), moving(initial, dot_initial));
        const auto d = recurrence_gradients(phi_q, phi_k, v, initial, epsilon, d_output, d_final);
        return same(
            "<gradient, direction>",
            K(paired(d.phi_q, dot_q) + paired(d.phi_k, dot_k) + paired(d.v, dot_v) + paired(d.initial, dot_initial)),
            K(paired_with_tangent(d_output, normalised(run.sums, Dual<K>(epsilon))) +
              paired_with_tangent(d_final, run.state)));
      });
}

}  // namespace

std::vector<Law> sanatan_gradients_laws() {
  return {
      parallel_gradient("sanatan.gradient_of_queries_equals_its_dual", "dtheta_q, through label, rotation and features",
                        {.queries = true}),
      parallel_gradient("sanatan.gradient_of_keys_equals_its_dual", "dtheta_k, through label, rotation and features",
                        {.keys = true}),
      parallel_gradient("sanatan.gradient_of_values_equals_its_dual", "dv_j = sum_{t>=j} a_tj dO_t", {.values = true}),
      parallel_gradient("sanatan.gradient_of_omega_equals_its_dual",
                        "domega = sum_t (dr/domega) dr over queries and keys", {.omega = true}),
      parallel_gradient("sanatan.gradient_of_lambda_equals_its_dual",
                        "dlambda = sum_t t dtheta_rot over queries and keys", {.lambda = true}),
      parallel_gradient("sanatan.gradient_of_all_inputs_equals_its_dual", "one direction of all inputs at once",
                        {true, true, true, true, true, false}),
      recurrent_gradient("sanatan.gradient_of_the_initial_state_equals_its_dual", "dS_0, dz_0, given dO, dS and dz",
                         {.state = true}),
      recurrent_gradient("sanatan.gradient_of_the_recurrence_equals_its_dual",
                         "one direction of all inputs and the state", {true, true, true, true, true, true}),
      long_recurrence(),
      two_forms(),
      through_squash(),
      raw_frequency(),
      shift_direction()};
}

}  // namespace assay
