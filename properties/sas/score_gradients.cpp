#include "oracle/sas/score_gradients.hpp"

#include <cstddef>
#include <span>
#include <vector>

#include "properties/identity.hpp"
#include "properties/same.hpp"
#include "properties/sas/inputs.hpp"
#include "properties/sas/laws.hpp"
#include "properties/sas/row_trial.hpp"

namespace assay {
namespace {

using namespace sas;

/// Scores of softmax gates, inside, from the gate gradients of `tokens`.
template <class K>
std::vector<K> softmax_score_gradients(const RowTrial<K>& trial, const AttendedTokens<K>& tokens) {
  const std::vector<K> d_gates = trial.inner(tokens, trial.all_gates());
  return score_gradients<K>(trial.history_gates(), std::span<const K>(d_gates).subspan(1));
}
/// Σ_{ℓ ≥ 1} g_ℓ dg_ℓ.
template <class K>
K history_mean(const RowTrial<K>& trial, const AttendedTokens<K>& tokens) {
  const std::vector<K> d_gates = trial.inner(tokens, trial.all_gates());
  return dot<K>(trial.history_gates(), std::span<const K>(d_gates).subspan(1));
}

Law one_scope(std::string_view name, std::string_view statement, std::string_view source, Scope scope) {
  return identity(name, statement, source, row_degree, 12, [scope]<class K>(Source<K>& from) {
    const RowTrial<K> trial(from, 1);
    const AttendedTokens<K> tokens = scope == Scope::sparse ? trial.sparse() : trial.x;
    const std::vector<K> direction = from.values(trial.C);
    return same("<ds, direction>", dot<K>(softmax_score_gradients(trial, tokens), direction),
                trial.by_duals(tokens, trial.moving_gates(direction)));
  });
}

Law sum_is_zero() {
  return identity("sas.score_gradients_of_softmax_gates_sum_to_zero", "sum_{m=1}^C ds_m = 0 in both scopes",
                  "own, on [SAS] eq. 8; SAS-042", row_degree, 12, []<class K>(Source<K>& from) {
                    const RowTrial<K> trial(from, 1);
                    FirstFailure found;
                    for (const AttendedTokens<K>& tokens : {trial.x, trial.sparse()}) {
                      K sum(0);
                      for (const K& d : softmax_score_gradients(trial, tokens)) sum = sum + d;
                      found.note(same("sum", sum, K(0)));
                    }
                    return found.outcome();
                  });
}

/// The mean Σ_ℓ g_ℓ dg_ℓ over history is minus the current block's term, as all of them sum to 0 with g_0 = 1.
Law sparse_scope() {
  return identity(
      "sas.unselected_scores_learn_only_whether_the_current_block_should_gain",
      "dg_m = 0 and ds_m = -g_m sum over I of g dg = g_m sum over B_0 of p <dO, v - o>; selected g_m dg_m more",
      "[SAS] eq. 8, sparse; SAS-040, SAS-041, SAS-043, SAS-044", row_degree, 12, []<class K>(Source<K>& from) {
        const RowTrial<K> trial(from, 1);
        const AttendedTokens<K> tokens = trial.sparse();
        const std::vector<K> g = trial.all_gates(), d_gates = trial.inner(tokens, g);
        const std::vector<K> d_scores = softmax_score_gradients(trial, tokens);
        K selected_mean(0);
        for (std::size_t m = 1; m <= trial.C; ++m)
          if (trial.selected[m] != 0) selected_mean = selected_mean + g[m] * d_gates[m];
        const K current = trial.block_term(tokens, g, 0);
        FirstFailure found;
        for (std::size_t m = 1; m <= trial.C; ++m) {
          if (trial.selected[m] == 0) found.note(same("dg", d_gates[m], K(0)));
          found.note(same("ds by the mean", d_scores[m - 1], K(g[m] * (d_gates[m] - selected_mean))));
          found.note(same("ds by the current block", d_scores[m - 1], K(g[m] * (d_gates[m] + current))));
        }
        return found.outcome();
      });
}

Law no_current_block() {
  return identity("sas.without_a_current_block_unselected_scores_learn_nothing",
                  "no token of B_0: ds_m = 0 exactly at every unselected block", "own, on [SAS] eq. 8, sparse; SAS-044",
                  row_degree, 12, []<class K>(Source<K>& from) {
                    RowTrial<K> trial(from, 1);
                    trial.x = trial.without(0);
                    trial.x.E.push_back(drawn_power(from));
                    trial.x.block.push_back(1);
                    trial.x.v = from.values(trial.x.E.size(), trial.dv);
                    trial.selected[1] = 1;
                    const std::vector<K> d_scores = softmax_score_gradients(trial, trial.sparse());
                    FirstFailure found;
                    for (std::size_t m = 1; m <= trial.C; ++m)
                      if (trial.selected[m] == 0) found.note(same("ds", d_scores[m - 1], K(0)));
                    return found.outcome();
                  });
}

Law from_log_gates() {
  return identity(
      "sas.score_gradients_of_log_gates_are_those_of_gates",
      "a_m - g_m sum a with a_m = g_m dg_m is g_m (dg_m - sum g dg)", "[SAS] eq. 8; SAS-039, SAS-051", 6, 12,
      []<class K>(Source<K>& from) {
        const std::vector<K> g = from.values(from.size("C", 1, 4)), d_gates = from.values(g.size());
        return same("ds", score_gradients_of_log_gates<K>(g, log_gate_gradients<K>(g, d_gates), Normalisation::softmax),
                    score_gradients<K>(g, d_gates));
      });
}

/// |ds_m| = |a_m + g_m a_0| with the block terms a, and a_m is at most P_m max |⟨dO, v − o⟩| ≤ P_m |dO| max |v − o|.
Law bounded() {
  return inequality(
      "sas.score_gradients_are_bounded_whatever_the_gates",
      "|ds_m| <= (P_m + g_m P_0) M <= 2 M, M = max |<dO, v_i - o>| over attended tokens, P_m the mass of block m",
      "own, on [SAS-notes] s2.6; SAS-037", 200, []<class K>(Source<K>& from) {
        const RowTrial<K> trial(from, 1);
        const auto size = [](const K& x) { return x < K(0) ? K(-x) : x; };
        FirstFailure found;
        for (const AttendedTokens<K>& tokens : {trial.x, trial.sparse()}) {
          const std::vector<K> g = trial.all_gates(), o = trial.output(tokens, g);
          const std::vector<K> d_scores = softmax_score_gradients(trial, tokens);
          const K Z = trial.normaliser(tokens, g);
          std::vector<K> mass(trial.C + 1, K(0));
          K M(0);
          for (std::size_t i = 0; i < tokens.E.size(); ++i) {
            mass[tokens.block[i]] += g[tokens.block[i]] * tokens.E[i] / Z;
            if (!(tokens.E[i] == K(0)) && M < size(trial.towards(i, o))) M = size(trial.towards(i, o));
          }
          for (std::size_t m = 1; m <= trial.C; ++m) {
            const K bound = (mass[m] + g[m] * mass[0]) * M;
            found.note(holds_if(!(bound < size(d_scores[m - 1])) && !(K(2) * M < bound),
                                "|ds| = " + text_of(size(d_scores[m - 1])) + ", bound " + text_of(bound)));
          }
        }
        return found.outcome();
      });
}

/// E_m = R and g_m = 1/R against a current token of weight 1: the mass is 1/2 for any R.
Law unbounded_gate_gradient() {
  return inequality("sas.gate_gradients_have_no_bound_though_weights_do",
                    "g_1 = 1/R, E_1 = R, E_0 = 1, v = 1, 0, dO = 1: weights 1/2, 1/2, dg_1 = R/4, d log g_1 = 1/4",
                    "[SAS-notes] s2.6; SAS-035, SAS-036, SAS-037", 60, []<class K>(Source<K>& from) {
                      const K R = drawn_power(from) * K(1000);
                      Matrix<K> v(2, 1);
                      v(1, 0) = K(1);
                      const AttendedTokens<K> x{{K(1), R}, {0, 1}, v};
                      const std::vector<K> g{K(1), K(1) / R}, d_output{K(1)};
                      const std::vector<K> d_gates = inner_gate_gradients<K>(x, g, d_output);
                      return all_of({same("o", weighted_mean<K>(std::vector<K>{K(1), g[1] * R}, v)[0], K(1) / K(2)),
                                     same("dg", d_gates[1], K(R / K(4))),
                                     same("d log g", log_gate_gradients<K>(g, d_gates)[1], K(K(1) / K(4)))});
                    });
}

}  // namespace

std::vector<Law> sas_score_gradients_laws() {
  return {one_scope("sas.gradient_of_scores_in_full_scope_equals_its_dual", "ds_m = g_m (dg_m - sum_l g_l dg_l)",
                    "[SAS] eq. 8, full; SAS-039", Scope::full),
          one_scope("sas.gradient_of_scores_in_sparse_scope_equals_its_dual",
                    "the same with dg = 0 at unselected blocks: -g_m sum over I of g_l dg_l",
                    "[SAS] eq. 8, sparse; SAS-040, SAS-041", Scope::sparse),
          sum_is_zero(),
          sparse_scope(),
          no_current_block(),
          from_log_gates(),
          bounded(),
          unbounded_gate_gradient()};
}

}  // namespace assay
