#include "oracle/sas/attention_gradients.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "oracle/sas/gate_gradients.hpp"
#include "oracle/sas/streaming.hpp"
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

/// L out of the streamed forward, tile by tile with a moving reference.
template <class K>
Outcome same_weights(Source<K>& from, GatePosition position) {
  const GradientTrial<K> trial(from, {.position = position}, {});
  const std::size_t tile = from.size("tile", 1, 3);
  std::vector<std::vector<Term<Logarithm<K>>>> rows(trial.Tq + 1);
  std::vector<Logarithm<K>> lse(trial.Tq + 1, {K(0)});
  Matrix<K> o(trial.Tq + 1, trial.dv);
  for (std::size_t t = 0; t < trial.Tq; ++t) {
    rows[t] = training_terms(trial.query(t), trial.selected[t], trial.rule);
    const auto forward = streamed(rows[t], trial.v, tile);
    lse[t] = forward.lse;
    std::ranges::copy(forward.o, o.row(t).begin());
  }
  const RowWeights<K> w = recomputed_weights<Logarithm<K>>(rows, lse, trial.Tk);
  FirstFailure found;
  found.note(same("(P f) V", w.product() * trial.v, o));
  for (std::size_t t = 0; t < trial.Tq; ++t) found.note(same("sum of a row", sum_of<K>(w.p.row(t)), K(1)));
  for (const K& p : w.p.row(trial.Tq)) found.note(same("row without terms", p, K(0)));
  return found.outcome();
}

Law recomputed() {
  return identity("sas.weights_recomputed_from_the_lse_are_those_of_the_forward",
                  "L of the streamed forward: e^{S - L} V = o, gates inside and outside, rows sum to 1; a row without "
                  "terms is 0, whatever its L",
                  "[SAS] alg. 3-4; SAS-053", head_degree, 8, []<class K>(Source<K>& from) {
                    return all_of({same_weights(from, GatePosition::inner), same_weights(from, GatePosition::outer)});
                  });
}

/// The rescaling factors e^{r − r'} of tiles, and the shares e^{L_i − L} of parts, move with the logits.
Law through_tiles() {
  return identity(
      "sas.gradients_through_rescaled_tiles_and_merged_parts_are_those_of_the_softmax",
      "duals through the online softmax and through merged parts: <gradient, direction>", "[SAS] alg. 3-4; SAS-050",
      head_degree, 8, []<class K>(Source<K>& from) {
        const GradientTrial<K> trial(from, {}, {true, true, true, true});
        const std::size_t tile = from.size("tile", 1, 3);
        using Z = Logarithm<Dual<K>>;
        const auto by_parts = [&](const std::vector<Term<Z>>& terms, const Matrix<Dual<K>>& v) {
          std::vector<Attention<Z>> parts;
          for (std::size_t begin = 0; begin < v.rows(); begin += tile)
            if (const auto part = tile_of(terms, begin, begin + tile); !part.empty())
              parts.push_back(attention(part, v));
          return merged(std::span<const Attention<Z>>(parts));
        };
        const K want = trial.along(trial.closed_form());
        return all_of(
            {same("tiles", trial.by_duals([&](const auto& terms, const auto& v) { return streamed(terms, v, tile); }),
                  want),
             same("parts", trial.by_duals(by_parts), want)});
      });
}

Law other_base() {
  return identity("sas.gradients_with_logits_to_another_base_carry_its_logarithm",
                  "P = b^{x - L}, x = c <q, k>: dq, dk and dv with kappa = ln b against duals; kappa = 1 is base e",
                  "[SAS] alg. 4 by the chain rule; SAS-050", head_degree + 12, 8, []<class K>(Source<K>& from) {
                    GradientTrial<K> trial(from, {}, {.q = true, .k = true, .v = true});
                    const auto in_base = [&trial](const K& kappa) {
                      const RowWeights<K> w = trial.weights();
                      return attention_gradients_in_base<K>(kappa, trial.q, trial.k, trial.v, trial.scale, w,
                                                            w.product() * trial.v, trial.d_lse, trial.d_output);
                    };
                    const Matrix<K> natural = trial.closed_form().attention.logits;
                    trial.kappa = from.nonzero();
                    const AttentionGradients<K> d = in_base(trial.kappa);
                    const K got = paired(d.q, trial.q_direction) + paired(d.k, trial.k_direction) +
                                  paired(d.v, trial.v_direction);
                    return all_of({same("<gradient, direction>", got, trial.by_duals()),
                                   same("dq from dx", d.q, trial.scale * (d.logits * trial.k)),
                                   same("base e", in_base(K(1)).logits, natural)});
                  });
}

template <class K>
Matrix<K> rows_between(const Matrix<K>& m, std::size_t begin, std::size_t end) {
  Matrix<K> part(end - begin, m.cols());
  for (std::size_t i = begin; i < end; ++i) std::ranges::copy(m.row(i), part.row(i - begin).begin());
  return part;
}
template <class K>
Matrix<K> columns_between(const Matrix<K>& m, std::size_t begin, std::size_t end) {
  return transpose(rows_between(transpose(m), begin, end));
}

Law split_keys() {
  return identity(
      "sas.gradients_of_parts_of_the_keys_add_up",
      "P and Delta of whole rows: dq is the sum over parts, dk and dv are the parts' own rows", "[SAS] alg. 4; SAS-050",
      head_degree, 8, []<class K>(Source<K>& from) {
        const GradientTrial<K> trial = inner_trial(from);
        const RowWeights<K> w = trial.weights();
        const AttentionGradients<K> whole = trial.closed_form().attention;
        const std::size_t cut = from.below(trial.Tk + 1);
        const auto part = [&](std::size_t begin, std::size_t end) {
          return attention_gradients<K>(
              trial.q, rows_between(trial.k, begin, end), rows_between(trial.v, begin, end), trial.scale,
              {columns_between(w.p, begin, end), columns_between(w.f, begin, end)}, trial.deltas(w), trial.d_output);
        };
        const AttentionGradients<K> head = part(0, cut), tail = part(cut, trial.Tk);
        return all_of({same("dq", head.q + tail.q, whole.q), same("dk head", head.k, rows_between(whole.k, 0, cut)),
                       same("dk tail", tail.k, rows_between(whole.k, cut, trial.Tk)),
                       same("dv head", head.v, rows_between(whole.v, 0, cut)),
                       same("dv tail", tail.v, rows_between(whole.v, cut, trial.Tk))});
      });
}

/// Parts that were attended to on their own, each with its L_i.
Law parts_rescaled() {
  return identity(
      "sas.weights_of_parts_rescaled_by_their_share_are_those_of_rows",
      "e^{L_i - L} P_i of both parts of the keys side by side is P; a row without terms in a part has 0 there",
      "own, on [SAS] alg. 4; SAS-050", head_degree, 8, []<class K>(Source<K>& from) {
        using Z = Logarithm<K>;
        const GradientTrial<K> trial = inner_trial(from);
        const std::size_t cut = from.below(trial.Tk + 1);
        std::vector<Z> lse;
        std::vector<std::vector<Term<Z>>> rows;
        for (std::size_t t = 0; t < trial.Tq; ++t) {
          rows.push_back(training_terms(trial.query(t), trial.selected[t], trial.rule));
          lse.push_back(lse_of(rows.back()));
        }
        const auto part = [&](std::size_t begin, std::size_t end) {
          std::vector<std::vector<Term<Z>>> terms;
          std::vector<Z> own;
          for (const auto& row : rows) {
            terms.push_back(tile_of(row, begin, end));
            own.push_back(terms.back().empty() ? Z{K(0)} : lse_of(terms.back()));
          }
          const auto alone = recomputed_weights<Z>(terms, own, trial.Tk);
          return rescaled<Z>(alone, own, lse).p;
        };
        return same("P", part(0, cut) + part(cut, trial.Tk), trial.weights().p);
      });
}

/// Two parts of one token each, every power 1: o = (0 + 2) / 2, and a part's own output is its value, so that its own Δ
/// leaves no gradient of logits at all.
Law deltas_of_parts() {
  return settled<Rational>(
      "sas.deltas_of_parts_are_no_deltas_of_rows", "v = 0, 2, weights 1/2: dS = -1/2, 1/2; with a part's own Delta 0",
      "[SAS] alg. 4; SAS-050", [](Source<Rational>&) {
        using Q = Rational;
        const Matrix<Q> one(1, 1, Q(1)), two(1, 1, Q(2)), zero(1, 1), half(1, 1, Q(1, 2));
        const auto gradient = [&](const Matrix<Q>& v, const Matrix<Q>& o) {
          const std::vector<Q> none{Q(0)};
          return attention_gradients<Q>(one, one, v, Q(1), {half, one}, row_deltas<Q>(o, one, none), one).logits(0, 0);
        };
        return all_of({same("first", gradient(zero, one), Q(-1, 2)), same("second", gradient(two, one), Q(1, 2)),
                       differs("its own Delta", gradient(two, two), Q(1, 2))});
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
          recomputed(),
          through_tiles(),
          other_base(),
          split_keys(),
          parts_rescaled(),
          deltas_of_parts(),
          common_value(),
          shared_keys()};
}

}  // namespace assay
