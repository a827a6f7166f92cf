#include "oracle/sas/straight_through_gradients.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "properties/identity.hpp"
#include "properties/same.hpp"
#include "properties/sas/gradient_trial.hpp"
#include "properties/sas/inputs.hpp"
#include "properties/sas/laws.hpp"
#include "properties/sas/row_trial.hpp"

namespace assay {
namespace {

using namespace sas;

template <class K>
std::vector<K> hard_gates(const RowTrial<K>& trial) {
  return {trial.selected.begin(), trial.selected.end()};
}
template <class K>
StraightThroughGradients<K> straight_through(const RowTrial<K>& trial) {
  return straight_through_gradients<K>(trial.x, trial.selected, trial.history_gates(), trial.d_output);
}

/// Each gate has the value of its mark and the tangent of its softmax.
Law by_duals() {
  return identity("sas.straight_through_gradients_equal_duals_of_hard_gates_that_move_as_soft_ones",
                  "gates of value 0 or 1 with the tangents of softmax gates: <dO, o'> = <ds, direction>",
                  "[SAS] eq. 7, D.2; SAS-032", row_degree, 12, []<class K>(Source<K>& from) {
                    const RowTrial<K> trial(from, 1);
                    const std::vector<K> direction = from.values(trial.C), hard = hard_gates(trial);
                    std::vector<Dual<K>> g = trial.moving_gates(direction);
                    for (std::size_t m = 0; m <= trial.C; ++m) g[m].value = hard[m];
                    return same("<ds, direction>", dot<K>(straight_through(trial).scores, direction),
                                trial.by_duals(trial.x, g));
                  });
}

Law ratio_formula() {
  return identity("sas.straight_through_gate_gradients_are_those_of_inner_gates_at_hard_ones",
                  "dg_m = sum over B_m of (E_i / sum over S of E_j) <dO, v_i - o>, o over S alone",
                  "[SAS] eq. 7, D.2; SAS-032", row_degree, 12, []<class K>(Source<K>& from) {
                    const RowTrial<K> trial(from);
                    const std::vector<K> o = weighted_mean<K>(trial.sparse().E, trial.x.v);
                    const std::vector<K> ratios = straight_through_ratios<K>(trial.x, trial.selected);
                    std::vector<K> want(trial.C + 1, K(0));
                    for (std::size_t i = 0; i < ratios.size(); ++i)
                      want[trial.x.block[i]] = want[trial.x.block[i]] + ratios[i] * trial.towards(i, o);
                    return same("dg", straight_through(trial).gates, want);
                  });
}

/// Ratios over S are the weights of the forward; beyond S the forward has 0.
Law no_probability() {
  return identity("sas.a_straight_through_ratio_beyond_the_selected_is_no_weight",
                  "sum over S of ratios = 1 already; o does not move with E_i and v_i of i outside S",
                  "[SAS-notes] s2.6; SAS-034", row_degree, 12, []<class K>(Source<K>& from) {
                    RowTrial<K> trial(from);
                    const std::vector<K> hard = hard_gates(trial), o = trial.output(trial.x, hard);
                    const std::vector<K> ratios = straight_through_ratios<K>(trial.x, trial.selected);
                    K sum(0);
                    for (std::size_t i = 0; i < ratios.size(); ++i) {
                      if (trial.selected[trial.x.block[i]] != 0) {
                        sum = sum + ratios[i];
                        continue;
                      }
                      trial.x.E[i] = from.free();
                      for (K& entry : trial.x.v.row(i)) entry = from.free();
                    }
                    return all_of({same("sum over S", sum, K(1)), same("o", trial.output(trial.x, hard), o)});
                  });
}

/// Two history blocks of which the first is selected, all scores equal, one token each, v = 0, 0, 1, E = 1, 1, 2 R:
/// o = 0, the ratio beyond S is R, and ds_2 = (1/2)(R − R/2) = R/4. With continuous gates |ds| ≤ 2 max |v − o| ≤ 2.
Law unbounded() {
  return inequality("sas.straight_through_score_gradients_have_no_bound",
                    "E = 1, 1, 2 R, the last unselected: its ratio is R, its score gradient R/4, for any R",
                    "[SAS-notes] s2.6; SAS-033, SAS-037", 60, []<class K>(Source<K>& from) {
                      const K R = drawn_power(from) * K(1000);
                      Matrix<K> v(3, 1);
                      v(2, 0) = K(1);
                      const AttendedTokens<K> x{{K(1), K(1), K(2) * R}, {0, 1, 2}, v};
                      const std::vector<int> selected{1, 1, 0};
                      const std::vector<K> g{K(1) / K(2), K(1) / K(2)}, d_output{K(1)};
                      const auto d = straight_through_gradients<K>(x, selected, g, d_output);
                      return all_of({same("ratio", straight_through_ratios<K>(x, selected)[2], R),
                                     same("dg", d.gates[2], R), same("ds", d.scores[1], K(R / K(4)))});
                    });
}

Law continuous_weights() {
  return inequality("sas.weights_of_continuous_gates_are_at_most_one",
                    "0 < g_b(i) E_i / Z <= 1 in both scopes, however large a logit", "[SAS-notes] s2.6; SAS-035", 200,
                    []<class K>(Source<K>& from) {
                      auto x = drawn_query(from, drawn_place(from));
                      x.z[from.below(x.z.size())].power = drawn_power(from) * K(1000000);
                      FirstFailure found;
                      for (const Scope scope : {Scope::sparse, Scope::full}) {
                        const auto terms = training_terms(x, drawn_blocks(from, x.s.size()), {.scope = scope});
                        for (const K& p : probabilities(terms, lse_of(terms)))
                          found.note(holds_if(K(0) < p && !(K(1) < p), "weight " + text_of(p)));
                      }
                      return found.outcome();
                    });
}

/// With all blocks selected the hard gates are 1: eq. 5 at g = 1.
Law all_selected() {
  return identity("sas.straight_through_with_all_blocks_is_ungated_forwards",
                  "I = all: o is plain softmax attention, ratios are its weights and the gate gradients sum to 0",
                  "[SAS] eq. 7; SAS-019, SAS-032", row_degree, 8, []<class K>(Source<K>& from) {
                    RowTrial<K> trial(from);
                    trial.selected.assign(trial.C + 1, 1);
                    const std::vector<K> ratios = straight_through_ratios<K>(trial.x, trial.selected);
                    std::vector<K> o(trial.dv, K(0));
                    for (std::size_t i = 0; i < ratios.size(); ++i)
                      for (std::size_t j = 0; j < trial.dv; ++j) o[j] = o[j] + ratios[i] * trial.x.v(i, j);
                    K sum(0);
                    for (const K& d : straight_through(trial).gates) sum = sum + d;
                    return all_of({same("o", weighted_mean<K>(trial.x.E, trial.x.v), o), same("sum", sum, K(0))});
                  });
}

template <class K>
StraightThroughGradients<K> outer_straight_through(const RowTrial<K>& trial, const AttendedTokens<K>& tokens) {
  return outer_straight_through_gradients<K>(tokens, trial.history_gates(), trial.d_output);
}

/// In both scopes; the marks decide what the forward shows, not what moves it.
Law outer_by_duals() {
  return identity(
      "sas.outer_straight_through_gradients_equal_duals_of_hard_gates_that_move_as_soft_ones",
      "gates of value 0 or 1 outside the softmax, with the tangents of softmax gates: <dO, o'> = <ds, direction>, "
      "other marks too",
      "[SAS] eq. 5, 7; own; SAS-032a", row_degree, 12, []<class K>(Source<K>& from) {
        const RowTrial<K> trial(from, 1);
        const std::vector<K> direction = from.values(trial.C), hard = hard_gates(trial);
        std::vector<Dual<K>> g = trial.moving_gates(direction), others = g;
        for (std::size_t m = 0; m <= trial.C; ++m) g[m].value = hard[m], others[m].value = K(1) - hard[m];
        FirstFailure found;
        for (const AttendedTokens<K>& tokens : {trial.x, trial.sparse()}) {
          const K got = dot<K>(outer_straight_through(trial, tokens).scores, direction);
          found.note(same("<ds, direction>", got, trial.by_duals(tokens, g, GatePosition::outer)));
          found.note(same("other marks", got, trial.by_duals(tokens, others, GatePosition::outer)));
        }
        return found.outcome();
      });
}

/// A mean with weights of sum 1 at most, so that no logit makes it large.
Law outer_bounded() {
  return inequality("sas.outer_straight_through_gradients_are_bounded_whatever_the_logits",
                    "sum |dg_m| <= max |<dO, v_i>|, |ds_m| <= 2 g_m max |<dO, v_i>|, however large a logit",
                    "own, on [SAS] eq. 5, 7; SAS-032a", 60, []<class K>(Source<K>& from) {
                      RowTrial<K> trial(from, 1);
                      trial.x.E[from.below(trial.x.E.size())] = drawn_power(from) * K(1000000);
                      const auto size = [](const K& x) { return x < K(0) ? K(-x) : x; };
                      K most(0), sum(0);
                      for (std::size_t i = 0; i < trial.x.E.size(); ++i)
                        most = std::max(most, size(dot<K>(trial.x.v.row(i), trial.d_output)));
                      const auto d = outer_straight_through(trial, trial.x);
                      const std::vector<K> g = trial.history_gates();
                      for (const K& d_gate : d.gates) sum += size(d_gate);
                      FirstFailure found;
                      found.note(holds_if(!(most < sum), "sum |dg| = " + text_of(sum)));
                      for (std::size_t m = 0; m < trial.C; ++m)
                        found.note(holds_if(!(K(2) * g[m] * most < size(d.scores[m])), "|ds| above its bound"));
                      return found.outcome();
                    });
}

/// Of a whole head: dg is the block sums of df, without the factor that the forward had.
Law outer_head() {
  return identity("sas.outer_straight_through_gradients_of_a_head_equal_their_duals",
                  "q, k, v and the scores move, hard gates outside, both scopes: <gradient, direction>",
                  "[SAS] eq. 5, 7, alg. 4; own; SAS-032a", head_degree, 8, []<class K>(Source<K>& from) {
                    FirstFailure found;
                    for (const Scope scope : {Scope::sparse, Scope::full}) {
                      const GateRule rule{
                          .position = GatePosition::outer, .form = GateForm::straight_through, .scope = scope};
                      const GradientTrial<K> trial(from, rule, {true, true, true, true});
                      found.note(same("<gradient, direction>", trial.along(trial.closed_form()), trial.by_duals()));
                    }
                    return found.outcome();
                  });
}

}  // namespace

std::vector<Law> sas_straight_through_gradients_laws() {
  return {by_duals(),     ratio_formula(),  no_probability(), unbounded(), continuous_weights(),
          all_selected(), outer_by_duals(), outer_bounded(),  outer_head()};
}

}  // namespace assay
