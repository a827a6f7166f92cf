#include <cstddef>
#include <span>
#include <vector>

#include "oracle/sas/score_gradients.hpp"
#include "properties/identity.hpp"
#include "properties/same.hpp"
#include "properties/sas/inputs.hpp"
#include "properties/sas/laws.hpp"
#include "properties/sas/row_trial.hpp"

/// What the rule that makes gates of scores does to shifts and learning signals.
namespace assay {
namespace {

using namespace sas;

constexpr Normalisation every_normalisation[] = {Normalisation::softmax, Normalisation::sigmoid, Normalisation::raw};

/// Σ_m a_m log g_m moves by Σ_m ds_m ṡ_m.
Law each_rule() {
  return identity("sas.score_gradients_of_each_normalisation_equal_their_duals",
                  "log g = s - LSE(s), s - log(1 + e^s), s: ds = a - g sum a, (1 - g) a, a",
                  "[SAS] eq. 6; SAS-022, SAS-039", 4 * 5 + 2, 12, []<class K>(Source<K>& from) {
                    const RowTrial<K> trial(from, 1);
                    const std::vector<K> direction = from.values(trial.C), a = from.values(trial.C);
                    FirstFailure found;
                    for (const Normalisation rule : every_normalisation) {
                      const auto s = moving_scores<K>(trial.score_powers, direction);
                      K want(0);
                      const auto log_g = log_gates(std::span<const Logarithm<Dual<K>>>(s), rule);
                      for (std::size_t m = 0; m < trial.C; ++m)
                        want = want + a[m] * (log_g[m].power.tangent / log_g[m].power.value);
                      const auto got = score_gradients_of_log_gates<K>(trial.history_gates(rule), a, rule);
                      found.note(same("<ds, direction>", dot<K>(got, direction), want));
                    }
                    return found.outcome();
                  });
}

/// Gates, output and score gradients of a rule, inside, in sparse scope.
template <class K>
struct Signals {
  std::vector<K> gates, o, d_scores;
};
template <class K>
Signals<K> signals(const RowTrial<K>& trial, Normalisation rule) {
  const std::vector<K> g = trial.all_gates(rule), a = log_gate_gradients<K>(g, trial.inner(trial.sparse(), g));
  return {g, trial.output(trial.sparse(), g),
          score_gradients_of_log_gates<K>(trial.history_gates(rule), std::span<const K>(a).subspan(1), rule)};
}

Law softmax_shift() {
  return identity("sas.a_common_shift_of_scores_moves_nothing_under_softmax", "s -> s + a: gates, o and ds stay",
                  "[SAS] eq. 6; SAS-023", row_degree + 8, 12, []<class K>(Source<K>& from) {
                    RowTrial<K> trial(from, 1);
                    const Signals<K> before = signals(trial, Normalisation::softmax);
                    const K factor = drawn_power(from);
                    for (K& power : trial.score_powers) power = factor * power;
                    const Signals<K> after = signals(trial, Normalisation::softmax);
                    return all_of({same("g", after.gates, before.gates), same("o", after.o, before.o),
                                   same("ds", after.d_scores, before.d_scores)});
                  });
}

/// The derivative along the shift, Σ_m ds_m, is 0 for softmax. For raw scores it is what the current block loses.
Law raw_shift() {
  return identity("sas.raw_score_gradients_sum_to_what_the_current_block_loses",
                  "raw scores: sum of ds = -(sum over B_0 of p <dO, v - o>), so that a common shift moves o",
                  "[SAS-notes] s2.5; SAS-025", row_degree, 12, []<class K>(Source<K>& from) {
                    const RowTrial<K> trial(from, 1);
                    K sum(0);
                    for (const K& d : signals(trial, Normalisation::raw).d_scores) sum = sum + d;
                    return same("sum of ds", sum,
                                K(-trial.block_term(trial.sparse(), trial.all_gates(Normalisation::raw), 0)));
                  });
}

Law saturation() {
  return inequality("sas.saturated_sigmoid_gates_lose_their_gradient",
                    "e^s = R: g = R / (1 + R) and ds = a / (1 + R) of a sigmoid; of raw scores ds = a whatever R",
                    "[SAS-notes] s2.5; SAS-028", 60, []<class K>(Source<K>& from) {
                      RowTrial<K> trial(from, 1);
                      const std::vector<K> a = from.values(trial.C);
                      const K R = drawn_power(from) * K(1000);
                      trial.score_powers.assign(trial.C, R);
                      const auto gradients = [&](Normalisation rule) {
                        return score_gradients_of_log_gates<K>(trial.history_gates(rule), a, rule);
                      };
                      std::vector<K> want;
                      for (const K& entry : a) want.push_back(entry / (K(1) + R));
                      return all_of({same("sigmoid", gradients(Normalisation::sigmoid), want),
                                     same("raw", gradients(Normalisation::raw), a)});
                    });
}

/// e^{s_m} / Σ_{ℓ ∈ I} e^{s_ℓ} for m ∈ I, else 0.
template <class D>
std::vector<D> renormalised(const std::vector<D>& g, const std::vector<int>& selected) {
  D sum(0);
  for (std::size_t m = 1; m < g.size(); ++m)
    if (selected[m] != 0) sum = sum + g[m];
  if (has_no_inverse(sum)) throw ZeroDenominator("gates of the selected blocks sum to 0");
  std::vector<D> result = g;
  for (std::size_t m = 1; m < g.size(); ++m) result[m] = selected[m] != 0 ? g[m] / sum : D(0);
  return result;
}

/// Block 1 is selected and attended, block 2 is not: over all gates o moves along s_2 by the current block's term.
Law over_selected_only() {
  return generic_identity(
      "sas.gates_normalised_over_the_selected_teach_unselected_scores_nothing",
      "o does not move along scores of unselected blocks; with gates normalised over all of them it does",
      "[SAS-notes] s2.7; SAS-030, SAS-043", row_degree + 12, 12, []<class K>(Source<K>& from) {
        RowTrial<K> trial(from, 2);
        trial.x.E.push_back(drawn_power(from));
        trial.x.block.push_back(1);
        trial.x.v = from.values(trial.x.E.size(), trial.dv);
        trial.selected[1] = 1;
        trial.selected[2] = 0;
        std::vector<K> direction = from.values(trial.C);
        for (std::size_t m = 1; m <= trial.C; ++m)
          if (trial.selected[m] != 0) direction[m - 1] = K(0);
        const std::vector<Dual<K>> over_all = trial.moving_gates(direction);
        const K along = trial.by_duals(trial.sparse(), renormalised(over_all, trial.selected));
        return all_of({same("<dO, o'>", along, K(0)),
                       differs("over all blocks", trial.by_duals(trial.sparse(), over_all), K(0))});
      });
}

Law one_block() {
  return identity("sas.a_single_history_block_has_no_learning_signal",
                  "C = 1: g_1 = 1 and ds_1 = 0 under softmax; C = 0: no gate, no score, o over B_0",
                  "own, on [SAS] eq. 6; SAS-031", row_degree, 8, []<class K>(Source<K>& from) {
                    RowTrial<K> trial(from);
                    trial.C = from.below(2);
                    trial.score_powers = drawn_powers(from, trial.C);
                    trial.selected.assign(trial.C + 1, 1);
                    for (std::size_t& block : trial.x.block) block = from.below(trial.C + 1);
                    const std::vector<K> ones(trial.C + 1, K(1)), zeros(trial.C, K(0));
                    const Signals<K> got = signals(trial, Normalisation::softmax);
                    return all_of({same("g", got.gates, ones), same("ds", got.d_scores, zeros),
                                   same("o", got.o, weighted_mean<K>(trial.x.E, trial.x.v))});
                  });
}

}  // namespace

std::vector<Law> sas_normalisation_gradients_laws() {
  return {each_rule(), softmax_shift(), raw_shift(), saturation(), over_selected_only(), one_block()};
}

}  // namespace assay
