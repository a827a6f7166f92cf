#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "oracle/sas/attention.hpp"
#include "properties/identity.hpp"
#include "properties/same.hpp"
#include "properties/sas/inputs.hpp"
#include "properties/sas/laws.hpp"

// How much of the attention goes to the history, and how much to the current block.

namespace assay {
namespace {

using namespace sas;

/// The share of the history: its tokens have v = 1, the current block has v = 0.
template <class K>
K history_share(const std::vector<Term<Logarithm<K>>>& terms, const QueryPlace& place) {
  Matrix<K> v(place.visible(), 1);
  for (std::size_t i = 0; i < place.current_begin(); ++i) v(i, 0) = K(1);
  return attention(terms, v).o[0];
}

/// Blocks of one token, the last one current; e^z and e^s as given.
template <class K>
Query<Logarithm<K>> single_tokens(std::vector<K> powers, std::vector<K> scores) {
  Query<Logarithm<K>> x{{scores.size(), 1}, {}, {}};
  for (const K& power : powers) x.z.push_back({power});
  for (const K& score : scores) x.s.push_back({score});
  return x;
}

template <class K>
std::vector<K> weights(const std::vector<Term<Logarithm<K>>>& terms) {
  return probabilities(terms, lse_of(terms));
}

Law one_sided_bias() {
  return generic_identity(
      "sas.a_bias_of_the_history_alone_multiplies_its_odds",
      "a on every history token: history : current becomes e^a times what it was; a on all tokens changes no weight",
      "[SAS-notes] s2.5; SAS-024", 200, 8, []<class K>(Source<K>& from) {
        const QueryPlace place = drawn_place(from, 1);
        const auto x = drawn_query(from, place);
        const auto a = drawn_score(from);
        auto history = dense_terms(x), all = history;
        for (auto& term : history)
          if (term.token < place.current_begin()) term.logit = term.logit + a;
        for (auto& term : all) term.logit = term.logit + a;
        const K before = history_share(dense_terms(x), place), after = history_share(history, place);
        return all_of({same("odds", K(after * (K(1) - before)), K(a.power * before * (K(1) - after))),
                       same("common bias", weights(all), weights(dense_terms(x))),
                       differs("history alone", weights(history), weights(dense_terms(x)))});
      });
}

Law example() {
  return settled<Rational>(
      "sas.two_history_blocks_and_the_current_one_share_a_quarter_a_quarter_and_a_half",
      "one token each, z = s = 0: gates (1/2, 1/2), attention (1/4, 1/4, 1/2); raw scores: (1/3, 1/3, 1/3)",
      "[SAS-notes] s2.5; SAS-026", []<class K>(Source<K>&) {
        const auto x = single_tokens<K>({K(1), K(1), K(1)}, {K(1), K(1)});
        const BlockSet all = all_blocks(2);
        const K third(1, 3), quarter(1, 4), half(1, 2);
        const auto raw = training_terms(x, all, {.normalisation = Normalisation::raw});
        return all_of({same("gates", gates(std::span<const Logarithm<K>>(x.s)), std::vector<K>{half, half}),
                       same("softmax", weights(training_terms(x, all)), std::vector<K>{quarter, quarter, half}),
                       same("raw", weights(raw), std::vector<K>{third, third, third})});
      });
}

/// One history token of gate 1 with E / E_0 = r / (1 − r) has the share r.
Law any_share() {
  return inequality("sas.gates_that_sum_to_one_give_the_history_any_share",
                    "share of the history = sum g E / (E_0 + sum g E): every r in (0, 1) is reached",
                    "[SAS-notes] s2.5; SAS-027", 16, [](Source<Rational>& from) {
                      const Rational r = (Rational(from.below(1000)) + Rational(1, 2)) / 1000;
                      const std::size_t C = from.size("C", 1, 4);
                      std::vector<Rational> scores, powers;
                      for (const auto& s : drawn_scores(from, C)) scores.push_back(s.power);
                      powers.assign(C, r / (Rational(1) - r));
                      powers.push_back(Rational(1));
                      const auto x = single_tokens(powers, scores);
                      return same("share", history_share(training_terms(x, all_blocks(C)), x.place), r);
                    });
}

/// |o − o_dense| = |Σ (1 − g_i) E_i (v_i − o_dense)| / Σ g E ≤ max (1/g − 1) · max |v_i − o_dense|, and 1/g − 1 =
/// e^{−s}.
Law saturation() {
  return inequality(
      "sas.saturated_gates_give_dense_attention",
      "raw scores 0: o is dense attention; sigmoid scores at least s: |o - dense| <= e^-s spread(v)",
      "[SAS-notes] s2.5; SAS-028", 16, [](Source<Rational>& from) {
        using R = Rational;
        const QueryPlace place = drawn_place(from, 1);
        auto x = drawn_query(from, place);
        const BlockSet all = all_blocks(place.history());
        const Matrix<R> v = from.values(place.visible(), 1);
        R low = v(0, 0), high = v(0, 0);
        for (std::size_t i = 0; i < v.rows(); ++i) {
          low = std::min(low, v(i, 0));
          high = std::max(high, v(i, 0));
        }
        const R dense = attention(dense_terms(x), v).o[0];
        FirstFailure found;
        for (auto& s : x.s) s.power = R(1);
        found.note(
            same("raw", attention(training_terms(x, all, {.normalisation = Normalisation::raw}), v).o[0], dense));
        for (const std::int64_t e : {std::int64_t{2}, std::int64_t{1} << 10, std::int64_t{1} << 40}) {
          for (auto& s : x.s) s.power = R(e) * R(1 + from.below(3));
          const R o = attention(training_terms(x, all, {.normalisation = Normalisation::sigmoid}), v).o[0];
          const R apart = o < dense ? R(dense - o) : R(o - dense);
          found.note(holds_if(!((high - low) / R(e) < apart), "apart by " + text_of(apart)));
        }
        return found.outcome();
      });
}

Law normalised_over_all() {
  return generic_identity(
      "sas.gates_renormalised_over_the_selected_change_the_balance",
      "g / sum_I g instead of g: the odds history : current grow by 1 / sum_I g, which is another attention unless I "
      "is all",
      "own, on [SAS-notes] s2.7; SAS-030", 400, 8, []<class K>(Source<K>& from) {
        const QueryPlace place = drawn_place(from, 2, 4);
        const auto x = drawn_query(from, place);
        const BlockSet selected{0};
        K sum(0);
        for (const std::size_t m : selected) sum = sum + gates(std::span<const Logarithm<K>>(x.s))[m];
        auto wrong = training_terms(x, selected);
        for (auto& term : wrong)
          if (term.token < place.current_begin()) term.logit = term.logit - Logarithm<K>{sum};
        const K right_share = history_share(training_terms(x, selected), place), share = history_share(wrong, place);
        return all_of({same("odds", K(sum * share * (K(1) - right_share)), K(right_share * (K(1) - share))),
                       differs("renormalised", share, right_share)});
      });
}

}  // namespace

std::vector<Law> sas_balance_laws() {
  return {one_sided_bias(), example(), any_share(), saturation(), normalised_over_all()};
}

}  // namespace assay
