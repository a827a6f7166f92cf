#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "oracle/sas/attention_gradients.hpp"
#include "oracle/sas/streaming.hpp"
#include "properties/identity.hpp"
#include "properties/same.hpp"
#include "properties/sas/gradient_trial.hpp"
#include "properties/sas/laws.hpp"

// What a backward pass makes anew from L, of whole rows and of parts of the keys, and to which base.

namespace assay {
namespace {

using namespace sas;

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

}  // namespace

std::vector<Law> sas_recomputed_gradients_laws() {
  return {recomputed(), through_tiles(), other_base(), split_keys(), parts_rescaled(), deltas_of_parts()};
}

}  // namespace assay
