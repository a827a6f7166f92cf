#include "oracle/sas/attention_gradients.hpp"

#include <cstddef>
#include <span>
#include <vector>

#include "oracle/sas/gate_gradients.hpp"
#include "properties/identity.hpp"
#include "properties/same.hpp"
#include "properties/sas/gradient_trial.hpp"
#include "properties/sas/laws.hpp"

namespace assay {
namespace {

using namespace sas;

constexpr Normalisation every_rule[] = {Normalisation::softmax, Normalisation::sigmoid, Normalisation::raw};
constexpr GatePosition every_position[] = {GatePosition::inner, GatePosition::outer};

Law one_gradient(std::string_view name, std::string_view statement, std::string_view source, Moving moves) {
  return identity(name, statement, source, head_degree, 8, [moves]<class K>(Source<K>& from) {
    FirstFailure found;
    for (const GatePosition position : every_position) {
      for (const Normalisation rule : every_rule) {
        const GradientTrial<K> trial(from, rule, position, moves);
        found.note(same("<gradient, direction>", trial.along(trial.closed_form()), trial.by_duals()));
      }
    }
    return found.outcome();
  });
}

template <class K>
GradientTrial<K> inner_trial(Source<K>& from) {
  return {from, Normalisation::softmax, GatePosition::inner, {}};
}

/// Σ over row t.
template <class K>
K row_sum(const Matrix<K>& x, std::size_t t) {
  K sum(0);
  for (const K& entry : x.row(t)) sum = sum + entry;
  return sum;
}
template <class K>
Outcome all_zero(std::string_view name, std::span<const K> x) {
  return same(name, x, std::span<const K>(std::vector<K>(x.size(), K(0))));
}

Law rows_sum() {
  return identity(
      "sas.logit_gradients_of_a_row_sum_to_that_of_its_lse",
      "sum_i dS_ti = dL_t, 0 without dL: the history's sum is dL_t less the current block's",
      "[SAS-notes] s2.8; SAS-052", head_degree, 8, []<class K>(Source<K>& from) {
        const GradientTrial<K> trial = inner_trial(from);
        const HeadGradients<K> g = trial.closed_form();
        FirstFailure found;
        for (std::size_t t = 0; t < trial.Tq; ++t) {
          const K want = trial.is_closed(t) ? K(0) : trial.d_lse[t];
          K current(0);
          for (std::size_t i = 0; i < trial.n; ++i)
            if (trial.grid.block_of(i) == trial.grid.current(t)) current = current + g.attention.logits(t, i);
          found.note(same("sum of dS", row_sum(g.attention.logits, t), want));
          found.note(same("history", row_sum(g.log_gates, t), K(want - current)));
        }
        return found.outcome();
      });
}

/// The row formula of eq. 5, every block's tokens that are open, times the gate.
Law block_sums() {
  return identity("sas.block_sums_of_logit_gradients_are_log_gate_gradients",
                  "sum of dS over a history block = g_m dg_m of eq. 5, inner", "[SAS] eq. 5, alg. 4; SAS-051",
                  head_degree, 8, []<class K>(Source<K>& from) {
                    GradientTrial<K> trial = inner_trial(from);
                    trial.d_lse.assign(trial.Tq, K(0));
                    const HeadGradients<K> got = trial.closed_form();
                    FirstFailure found;
                    for (std::size_t t = 0; t < trial.Tq; ++t) {
                      if (trial.is_closed(t)) continue;
                      const std::size_t C = trial.grid.current(t);
                      AttendedTokens<K> x{{}, {}, trial.v};
                      for (std::size_t i = 0; i < trial.n; ++i) {
                        x.E.push_back(trial.open(t, i) != 0 ? trial.logit_powers(t, i) : K(0));
                        x.block.push_back(std::min(trial.grid.block_of(i), C));
                      }
                      const std::vector<K> g = trial.resting_gates(t);
                      const auto want =
                          log_gate_gradients<K>(g, inner_gate_gradients<K>(x, g, trial.d_output.row(t)));
                      found.note(same("d log G", std::span<const K>(got.log_gates.row(t)).first(C),
                                      std::span<const K>(want).first(C)));
                    }
                    return found.outcome();
                  });
}

Law values_sum() {
  return identity("sas.gradients_of_values_sum_to_those_of_outputs",
                  "sum_j dv_j = sum_t dO_t over rows that attend to something: weights sum to 1",
                  "[SAS] eq. 9 by the chain rule; SAS-004", head_degree, 8, []<class K>(Source<K>& from) {
                    const GradientTrial<K> trial = inner_trial(from);
                    const Matrix<K> d_v = trial.closed_form().attention.v;
                    FirstFailure found;
                    for (std::size_t j = 0; j < trial.dv; ++j) {
                      K got(0), want(0);
                      for (std::size_t i = 0; i < trial.n; ++i) got = got + d_v(i, j);
                      for (std::size_t t = 0; t < trial.Tq; ++t)
                        if (!trial.is_closed(t)) want = want + trial.d_output(t, j);
                      found.note(same("sum", got, want));
                    }
                    return found.outcome();
                  });
}

/// k → k + a moves all logits of row t by c⟨q_t, a⟩, which only L feels.
Law keys_sum() {
  return identity("sas.gradients_of_keys_sum_to_scaled_queries",
                  "sum_i dk_i = c sum_t dL_t q_t: a common shift of keys moves no weight", "own, on [SAS] eq. 9; SAS-024",
                  head_degree, 8, []<class K>(Source<K>& from) {
                    const GradientTrial<K> trial = inner_trial(from);
                    const Matrix<K> d_k = trial.closed_form().attention.k;
                    FirstFailure found;
                    for (std::size_t j = 0; j < trial.d; ++j) {
                      K got(0), want(0);
                      for (std::size_t i = 0; i < trial.n; ++i) got = got + d_k(i, j);
                      for (std::size_t t = 0; t < trial.Tq; ++t)
                        if (!trial.is_closed(t)) want = want + trial.scale * (trial.d_lse[t] * trial.q(t, j));
                      found.note(same("sum", got, want));
                    }
                    return found.outcome();
                  });
}

Law one_row() {
  return identity(
      "sas.a_loss_on_one_row_reaches_what_it_attends_to",
      "dO and dL of row t alone: exact zeros in dq and ds of other rows, in dk and dv of tokens closed to t",
      "[SAS] eq. 9 by the chain rule; SAS-049", head_degree, 8, []<class K>(Source<K>& from) {
        GradientTrial<K> trial = inner_trial(from);
        const std::size_t kept = from.below(trial.Tq);
        for (std::size_t t = 0; t < trial.Tq; ++t) {
          if (t == kept) continue;
          for (K& entry : trial.d_output.row(t)) entry = K(0);
          trial.d_lse[t] = K(0);
        }
        const HeadGradients<K> g = trial.closed_form();
        FirstFailure found;
        for (std::size_t t = 0; t < trial.Tq; ++t) {
          if (t == kept) continue;
          found.note(all_zero<K>("dq of another row", g.attention.q.row(t)));
          found.note(all_zero<K>("ds of another row", g.scores.row(t)));
          found.note(all_zero<K>("dS of another row", g.attention.logits.row(t)));
        }
        for (std::size_t i = 0; i < trial.n; ++i) {
          if (trial.open(kept, i) != 0) continue;
          found.note(all_zero<K>("dk of a closed token", g.attention.k.row(i)));
          found.note(all_zero<K>("dv of a closed token", g.attention.v.row(i)));
        }
        return found.outcome();
      });
}

Law unselected() {
  return identity("sas.unselected_blocks_have_no_log_gate_gradient",
                  "d log G = 0 exactly at unselected blocks, at the current one and after it; ds is not 0",
                  "[SAS] eq. 8, sparse; SAS-040, SAS-043", head_degree, 8, []<class K>(Source<K>& from) {
                    const GradientTrial<K> trial = inner_trial(from);
                    const HeadGradients<K> g = trial.closed_form();
                    FirstFailure found;
                    for (std::size_t t = 0; t < trial.Tq; ++t)
                      for (std::size_t m = 0; m < trial.grid.blocks(trial.n); ++m)
                        if (m >= trial.grid.current(t) || trial.open(t, m * trial.grid.block_size) == 0)
                          found.note(same("d log G", g.log_gates(t, m), K(0)));
                    return found.outcome();
                  });
}

/// L from any reference r, tile by tile: l = Σ e^{S − r}, L = r + log l.
Law recomputed() {
  return generic_identity(
      "sas.probabilities_recomputed_from_the_lse_are_those_of_the_forward",
      "e^{S - L} = (e^{S - r} / l) for any reference r, rows sum to 1, a closed row is 0", "[SAS] alg. 3-4; SAS-053", 8,
      8, []<class K>(Source<K>& from) {
        const GradientTrial<K> trial = inner_trial(from);
        Matrix<Logarithm<K>> logits(trial.Tq, trial.n, Logarithm<K>{});
        Matrix<K> want(trial.Tq, trial.n);
        std::vector<Logarithm<K>> lse;
        for (std::size_t t = 0; t < trial.Tq; ++t) {
          const Logarithm<K> reference{from.nonzero()};
          K l(0);
          for (std::size_t i = 0; i < trial.n; ++i) {
            logits(t, i) = {trial.logit_powers(t, i)};
            if (trial.open(t, i) != 0) l = l + exp(logits(t, i) - reference);
          }
          if (has_no_inverse(l) && !trial.is_closed(t)) throw ZeroDenominator("weights of a row sum to 0");
          lse.push_back(reference + Logarithm<K>{l});
          for (std::size_t i = 0; i < trial.n; ++i)
            if (trial.open(t, i) != 0) want(t, i) = exp(logits(t, i) - reference) / l;
        }
        const Matrix<K> P = recomputed_probabilities<Logarithm<K>>(logits, lse, trial.open);
        FirstFailure found;
        found.note(same("P", P, want));
        for (std::size_t t = 0; t < trial.Tq; ++t)
          found.note(same("sum of a row", row_sum(P, t), K(trial.is_closed(t) ? 0 : 1)));
        return found.outcome();
      });
}

template <class K>
Matrix<K> rows_between(const Matrix<K>& m, std::size_t begin, std::size_t end) {
  Matrix<K> part(end - begin, m.cols());
  for (std::size_t i = begin; i < end; ++i) std::ranges::copy(m.row(i), part.row(i - begin).begin());
  return part;
}

Law split_keys() {
  return identity(
      "sas.gradients_of_parts_of_the_keys_add_up",
      "P and Delta of whole rows: dq is the sum over parts, dk and dv are the parts' own rows",
      "[SAS] alg. 4; SAS-050", head_degree, 8, []<class K>(Source<K>& from) {
        const GradientTrial<K> trial = inner_trial(from);
        const Matrix<K> P = trial.probabilities();
        const std::vector<K> deltas = row_deltas<K>(trial.output(P), trial.d_output, trial.d_lse);
        const AttentionGradients<K> whole = trial.closed_form().attention;
        const std::size_t cut = from.below(trial.n + 1);
        const auto part = [&](std::size_t begin, std::size_t end) {
          return attention_gradients<K>(trial.q, rows_between(trial.k, begin, end), rows_between(trial.v, begin, end),
                                        trial.scale, transpose(rows_between(transpose(P), begin, end)), deltas,
                                        trial.d_output);
        };
        const AttentionGradients<K> head = part(0, cut), tail = part(cut, trial.n);
        return all_of({same("dq", head.q + tail.q, whole.q), same("dk head", head.k, rows_between(whole.k, 0, cut)),
                       same("dk tail", tail.k, rows_between(whole.k, cut, trial.n)),
                       same("dv head", head.v, rows_between(whole.v, 0, cut)),
                       same("dv tail", tail.v, rows_between(whole.v, cut, trial.n))});
      });
}

/// Σ_j v_j → v_j + a moves o by a, and Δ by ⟨dO, a⟩.
Law common_value() {
  return identity("sas.a_common_value_moves_no_logit_gradient",
                  "v -> v + a: o moves by a, dq, dk, d log G and ds stay", "[SAS] eq. 5, inner; SAS-021", head_degree, 8,
                  []<class K>(Source<K>& from) {
                    GradientTrial<K> trial = inner_trial(from);
                    const HeadGradients<K> before = trial.closed_form();
                    const std::vector<K> a = from.values(trial.dv);
                    for (std::size_t i = 0; i < trial.n; ++i)
                      for (std::size_t j = 0; j < trial.dv; ++j) trial.v(i, j) = trial.v(i, j) + a[j];
                    const HeadGradients<K> after = trial.closed_form();
                    return all_of({same("dq", after.attention.q, before.attention.q),
                                   same("dk", after.attention.k, before.attention.k),
                                   same("dv", after.attention.v, before.attention.v),
                                   same("d log G", after.log_gates, before.log_gates),
                                   same("ds", after.scores, before.scores)});
                  });
}

}  // namespace

std::vector<Law> sas_attention_gradients_laws() {
  return {
      one_gradient("sas.gradient_of_queries_equals_its_dual", "dq = c dS k, gates inside and outside, three rules",
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
      one_row(),
      unselected(),
      recomputed(),
      split_keys(),
      common_value()};
}

}  // namespace assay
