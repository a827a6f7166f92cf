#include "oracle/sas/attention_gradients.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "oracle/sas/gate_gradients.hpp"
#include "properties/identity.hpp"
#include "properties/same.hpp"
#include "properties/sas/gradient_trial.hpp"
#include "properties/sas/inputs.hpp"
#include "properties/sas/laws.hpp"

namespace assay {
namespace {

using namespace sas;

constexpr GatePosition every_position[] = {GatePosition::inner, GatePosition::outer};
constexpr Normalisation every_normalisation[] = {Normalisation::softmax, Normalisation::sigmoid, Normalisation::raw};
constexpr Scope every_scope[] = {Scope::sparse, Scope::full};

Law one_gradient(std::string_view name, std::string_view statement, std::string_view source, Moving moves) {
  return identity(name, statement, source, head_degree, 8, [moves]<class K>(Source<K>& from) {
    FirstFailure found;
    for (const GatePosition position : every_position) {
      for (const Normalisation normalisation : every_normalisation) {
        for (const Scope scope : every_scope) {
          const GradientTrial<K> trial(from, {position, normalisation, GateForm::continuous, scope}, moves);
          found.note(same("<gradient, direction>", trial.along(trial.closed_form()), trial.by_duals()));
        }
      }
    }
    return found.outcome();
  });
}

Law rows_sum() {
  return identity("sas.logit_gradients_of_a_row_sum_to_that_of_its_lse",
                  "sum_i dS_ti = dL_t, 0 without dL: the history's sum is dL_t less the current block's",
                  "[SAS-notes] s2.8; SAS-052", head_degree, 8, []<class K>(Source<K>& from) {
                    const GradientTrial<K> trial = inner_trial(from);
                    const HeadGradients<K> g = trial.closed_form();
                    FirstFailure found;
                    for (std::size_t t = 0; t < trial.Tq; ++t) {
                      const auto row = g.attention.logits.row(t);
                      found.note(same("sum of dS", sum_of<K>(row), trial.d_lse[t]));
                      found.note(same("history", sum_of<K>(g.log_gates.row(t)),
                                      K(trial.d_lse[t] - sum_of<K>(row.subspan(trial.places[t].current_begin())))));
                    }
                    return found.outcome();
                  });
}

/// The tokens of row t as eq. 5 has them, those that it does not attend to with weight 0.
template <class K>
AttendedTokens<K> tokens_of_row(const GradientTrial<K>& trial, std::size_t t) {
  AttendedTokens<K> x{{}, {}, trial.v};
  for (std::size_t i = 0; i < trial.Tk; ++i) {
    x.E.push_back(trial.attends(t, i) ? trial.logit_powers(t, i) : K(0));
    x.block.push_back(i < trial.places[t].current_begin() ? 1 + i / trial.block_size : 0);
  }
  return x;
}

Law block_sums() {
  return identity(
      "sas.block_sums_of_logit_gradients_are_log_gate_gradients",
      "sum of dS over a history block = g_m dg_m of eq. 5, inner", "[SAS] eq. 5, alg. 4; SAS-051", head_degree, 8,
      []<class K>(Source<K>& from) {
        GradientTrial<K> trial = inner_trial(from);
        trial.d_lse.assign(trial.Tq, K(0));
        const HeadGradients<K> got = trial.closed_form();
        FirstFailure found;
        for (std::size_t t = 0; t < trial.Tq; ++t) {
          std::vector<K> g = trial.row_gates(t);
          g.insert(g.begin(), K(1));
          const auto d_gates = inner_gate_gradients<K>(tokens_of_row(trial, t), g, trial.d_output.row(t));
          const auto want = log_gate_gradients<K>(g, d_gates);
          found.note(same("d log G", trial.of_history(got.log_gates, t), std::span<const K>(want).subspan(1)));
        }
        return found.outcome();
      });
}

Law values_sum() {
  return identity("sas.gradients_of_values_sum_to_those_of_outputs",
                  "sum_j dv_j = sum_t dO_t: the weights of a row sum to 1", "[SAS] eq. 9 by the chain rule; SAS-004",
                  head_degree, 8, []<class K>(Source<K>& from) {
                    const GradientTrial<K> trial = inner_trial(from);
                    const Matrix<K> d_v = transpose(trial.closed_form().attention.v), d_o = transpose(trial.d_output);
                    FirstFailure found;
                    for (std::size_t j = 0; j < trial.dv; ++j)
                      found.note(same("sum", sum_of<K>(d_v.row(j)), sum_of<K>(d_o.row(j))));
                    return found.outcome();
                  });
}

/// k → k + a moves all logits of row t by c⟨q_t, a⟩, which only L feels.
Law keys_sum() {
  return identity("sas.gradients_of_keys_sum_to_scaled_queries",
                  "sum_i dk_i = c sum_t dL_t q_t: a common shift of keys moves no weight",
                  "own, on [SAS-notes] s2.5; SAS-024", head_degree, 8, []<class K>(Source<K>& from) {
                    const GradientTrial<K> trial = inner_trial(from);
                    const Matrix<K> d_k = transpose(trial.closed_form().attention.k), q = transpose(trial.q);
                    FirstFailure found;
                    for (std::size_t j = 0; j < trial.d; ++j)
                      found.note(same("sum", sum_of<K>(d_k.row(j)), K(trial.scale * dot<K>(trial.d_lse, q.row(j)))));
                    return found.outcome();
                  });
}

Law common_value() {
  return identity(
      "sas.a_common_value_moves_no_logit_gradient",
      "v -> v + a: o moves by a, Delta by <dO, a>; dq, dk, dv, d log G and ds stay", "[SAS] eq. 5, inner; SAS-021",
      head_degree, 8, []<class K>(Source<K>& from) {
        GradientTrial<K> trial = inner_trial(from);
        const HeadGradients<K> before = trial.closed_form();
        const std::vector<K> a = from.values(trial.dv);
        for (std::size_t i = 0; i < trial.Tk; ++i)
          for (std::size_t j = 0; j < trial.dv; ++j) trial.v(i, j) = trial.v(i, j) + a[j];
        const HeadGradients<K> after = trial.closed_form();
        return all_of({same("dq", after.attention.q, before.attention.q),
                       same("dk", after.attention.k, before.attention.k),
                       same("dv", after.attention.v, before.attention.v),
                       same("d log G", after.log_gates, before.log_gates), same("ds", after.scores, before.scores)});
      });
}

/// Two query heads on one key-value head: k, v and the scores move; each head has its own q, dO and dL.
Law shared_keys() {
  return identity("sas.gradients_of_what_a_group_of_heads_shares_add_up",
                  "two query heads on one k, v, scores and selection: dk, dv and ds are the sums over heads",
                  "[SAS-notes] s3.1 by the chain rule; SAS-050", 2 * head_degree, 8, []<class K>(Source<K>& from) {
                    GradientTrial<K> trial(from, {}, {.k = true, .v = true, .scores = true});
                    const HeadGradients<K> first = trial.closed_form();
                    K duals = trial.by_duals();
                    trial.q = from.values(trial.Tq, trial.d);
                    trial.logit_powers = drawn_powers(from, trial.Tq, trial.Tk);
                    trial.d_output = from.values(trial.Tq, trial.dv);
                    trial.d_lse = from.values(trial.Tq);
                    duals = duals + trial.by_duals();
                    const HeadGradients<K> second = trial.closed_form();
                    const K sums = paired(first.attention.k + second.attention.k, trial.k_direction) +
                                   paired(first.attention.v + second.attention.v, trial.v_direction) +
                                   paired(first.scores + second.scores, trial.score_direction);
                    return same("<gradient, direction>", sums, duals);
                  });
}

}  // namespace

std::vector<Law> sas_attention_gradients_laws() {
  return {one_gradient("sas.gradient_of_queries_equals_its_dual", "dq = c dS k, gates inside and outside, three rules",
                       "[SAS] alg. 4; SAS-008, SAS-050", {.q = true}),
          one_gradient("sas.gradient_of_keys_equals_its_dual", "dk = c dS^T q, gates inside and outside, three rules",
                       "[SAS] alg. 4; SAS-008, SAS-050", {.k = true}),
          one_gradient("sas.gradient_of_values_equals_its_dual", "dv = P^T dO, gates inside and outside, three rules",
                       "[SAS] alg. 4; SAS-050", {.v = true}),
          one_gradient("sas.gradient_of_block_scores_equals_its_dual",
                       "ds through d log G, the block sums of dS, gates inside and outside, three rules",
                       "[SAS] eq. 5-8, alg. 4; SAS-018, SAS-039, SAS-041, SAS-051", {.scores = true}),
          one_gradient("sas.gradient_of_all_inputs_equals_its_dual", "q, k, v and the scores move at once",
                       "[SAS] eq. 5-9, alg. 4; SAS-050", {true, true, true, true}),
          rows_sum(),
          block_sums(),
          values_sum(),
          keys_sum(),
          common_value(),
          shared_keys()};
}

}  // namespace assay
