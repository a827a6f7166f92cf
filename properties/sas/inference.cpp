#include <cstddef>
#include <span>
#include <vector>

#include "oracle/sas/attention.hpp"
#include "properties/identity.hpp"
#include "properties/same.hpp"
#include "properties/sas/inputs.hpp"
#include "properties/sas/laws.hpp"

namespace assay {
namespace {

using namespace sas;

template <class K>
using Terms = std::vector<Term<Logarithm<K>>>;

template <class K>
std::vector<K> weights(const Terms<K>& terms) {
  return probabilities(terms, lse_of(terms));
}

Law ungated() {
  return identity(
      "sas.inference_is_the_softmax_over_the_selected_tokens",
      "o = sum_S E v / sum_S E with S = B_0 and the selected blocks; no score enters",
      "[SAS] alg. 2; [SAS-notes] s2.3; SAS-011", 100, 16, []<class K>(Source<K>& from) {
        const QueryPlace place = drawn_place(from);
        const auto x = drawn_query(from, place);
        const BlockSet selected = drawn_blocks(from, place.history());
        const Matrix<K> v = from.values(place.visible(), 2);
        std::vector<K> w(v.rows(), K(0));
        for (const std::size_t m : selected)
          for (std::size_t i = 0; i < place.block_size; ++i)
            w[m * place.block_size + i] = x.z[m * place.block_size + i].power;
        for (std::size_t i = place.current_begin(); i < w.size(); ++i) w[i] = x.z[i].power;
        const Query<Logarithm<K>> other{place, x.z, drawn_scores(from, place.history())};
        return all_of({same("o", attention(inference_terms(x, selected), v).o, weighted_mean<K>(w, v)),
                       same("other scores", inference_terms(other, selected) == inference_terms(x, selected), true)});
      });
}

Law straight_through() {
  return identity("sas.straight_through_gates_attend_as_inference_does",
                  "hard inner gates: the sparse softmax in both scopes; hard outer gates in full scope: its numerator, "
                  "over all weights",
                  "[SAS-notes] s2.6; SAS-011", 200, 16, []<class K>(Source<K>& from) {
                    const QueryPlace place = drawn_place(from);
                    const auto x = drawn_query(from, place);
                    const BlockSet selected = drawn_blocks(from, place.history());
                    const Matrix<K> v = from.values(place.visible(), 1);
                    const auto sparse = attention(inference_terms(x, selected), v);
                    GateRule rule{.form = GateForm::straight_through};
                    FirstFailure found;
                    for (const Scope scope : {Scope::sparse, Scope::full}) {
                      rule.scope = scope;
                      found.note(same("inner", attention(training_terms(x, selected, rule), v).o, sparse.o));
                    }
                    rule.position = GatePosition::outer;
                    const K share = (sparse.lse - lse_of(dense_terms(x))).power;
                    found.note(same("outer", attention(training_terms(x, selected, rule), v).o,
                                    std::vector<K>{share * sparse.o[0]}));
                    return found.outcome();
                  });
}

Law every_block() {
  return identity("sas.every_block_selected_is_dense_attention",
                  "K >= C: sparse inference, and raw gates of scores 0 in either scope, are softmax(z) V",
                  "[SAS] eq. 1; own; SAS-015", 100, 12, []<class K>(Source<K>& from) {
                    const QueryPlace place = drawn_place(from);
                    auto x = drawn_query(from, place);
                    const BlockSet all = all_blocks(place.history());
                    const Matrix<K> v = from.values(place.visible(), 2);
                    std::vector<K> w;
                    for (const auto& z : x.z) w.push_back(z.power);
                    FirstFailure found;
                    found.note(same("dense", attention(dense_terms(x), v).o, weighted_mean<K>(w, v)));
                    found.note(same("inference", inference_terms(x, all) == dense_terms(x), true));
                    for (auto& s : x.s) s = zero_score<Logarithm<K>>();
                    for (const Scope scope : {Scope::sparse, Scope::full}) {
                      const GateRule rule{.normalisation = Normalisation::raw, .scope = scope};
                      found.note(same("no bias", training_terms(x, all, rule) == dense_terms(x), true));
                    }
                    return found.outcome();
                  });
}

/// Every gate of two or more is below 1, so the current block weighs more in training than in inference.
Law weights_differ() {
  return inequality(
      "sas.training_and_inference_weights_differ_unless_every_gate_is_one",
      "C >= 2, K >= 1: the current block's last token weighs strictly more in training; C = 1 or K = 0: the same "
      "weights",
      "[SAS-notes] s2.3, s5.3; SAS-013", 16, [](Source<Rational>& from) {
        const QueryPlace place = drawn_place(from, 0, 4);
        const auto x = drawn_query(from, place);
        const std::size_t C = place.history();
        const BlockSet selected = top_k(std::span<const Logarithm<Rational>>(x.s), from.size("K", 0, 5));
        const auto training = weights(training_terms(x, selected)), inference = weights(inference_terms(x, selected));
        if (C <= 1 || selected.empty()) return same("weights", training, inference);
        return holds_if(inference.back() < training.back(), "current token weighs " + text_of(training.back()));
      });
}

/// Blocks of one token: the shares of full blocks of any size are these.
Law mismatch() {
  return settled<Rational>(
      "sas.uniform_gates_leave_the_history_much_less_than_inference_does",
      "z = s = 0: history K/(C + K) in training, K/(K + 1) in inference: 0.500, 0.200, 0.059 and 0.970; 0.0078 and "
      "0.985",
      "own, on [SAS-notes] s2.3; SAS-014", []<class K>(Source<K>&) {
        struct Row {
          int candidates, selected;
        };
        FirstFailure found;
        for (const auto& [C, chosen] : {Row{32, 32}, Row{128, 32}, Row{512, 32}, Row{8192, 64}}) {
          const std::size_t n = static_cast<std::size_t>(C);
          const Query<Logarithm<K>> x{{n, 1}, std::vector<Logarithm<K>>(n + 1), std::vector<Logarithm<K>>(n)};
          const BlockSet selected = top_k(std::span<const Logarithm<K>>(x.s), static_cast<std::size_t>(chosen));
          found.note(same("current, training", weights(training_terms(x, selected)).back(), K(C, C + chosen)));
          found.note(same("current, inference", weights(inference_terms(x, selected)).back(), K(1, chosen + 1)));
        }
        return found.outcome();
      });
}

}  // namespace

std::vector<Law> sas_inference_laws() {
  return {ungated(), straight_through(), every_block(), weights_differ(), mismatch()};
}

}  // namespace assay
