#include "oracle/sas/attention.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "arith/dual.hpp"
#include "properties/identity.hpp"
#include "properties/same.hpp"
#include "properties/sas/inputs.hpp"
#include "properties/sas/laws.hpp"

namespace assay {
namespace {

using namespace sas;

template <class K>
using Outputs = std::vector<K>;

const GateRule& drawn_rule(std::size_t choice) {
  static const std::vector<GateRule> rules = [] {
    std::vector<GateRule> all;
    for (const GatePosition position : {GatePosition::inner, GatePosition::outer})
      for (const Normalisation rule : {Normalisation::softmax, Normalisation::sigmoid, Normalisation::raw})
        for (const GateForm form : {GateForm::continuous, GateForm::straight_through})
          for (const Scope scope : {Scope::sparse, Scope::full}) all.push_back({position, rule, form, scope});
    return all;
  }();
  return rules[choice % rules.size()];
}

/// The gates of [SAS] eq. 4 by their definitions, g_0 = 1 last.
template <class K>
std::vector<K> defined_gates(const Query<Logarithm<K>>& x, const BlockSet& selected, const GateRule& rule) {
  K powers(0);
  for (const auto& score : x.s) powers = powers + score.power;
  std::vector<K> g;
  for (std::size_t m = 0; m < x.s.size(); ++m) {
    const K& e = x.s[m].power;
    if (rule.form == GateForm::straight_through)
      g.push_back(K(std::ranges::count(selected, m) > 0 ? 1 : 0));
    else if (rule.normalisation == Normalisation::raw)
      g.push_back(e);
    else
      g.push_back(e / (rule.normalisation == Normalisation::softmax ? powers : K(K(1) + e)));
  }
  g.push_back(K(1));
  return g;
}

/// Tokens of the scope count fully, others not at all; a gate multiplies a weight, or its value alone.
template <class K>
Outputs<K> defined_output(const Query<Logarithm<K>>& x, const Matrix<K>& v, const BlockSet& selected,
                          const GateRule& rule) {
  const std::vector<K> g = defined_gates(x, selected, rule);
  std::vector<K> w(v.rows(), K(0));
  Matrix<K> gated = v;
  for (std::size_t i = 0; i < v.rows(); ++i) {
    const std::size_t m = i / x.place.block_size;
    const bool read = m == x.place.history() || rule.scope == Scope::full || std::ranges::count(selected, m) > 0;
    if (read) w[i] = x.z[i].power * (rule.position == GatePosition::inner ? g[m] : K(1));
    if (rule.position == GatePosition::outer)
      for (K& entry : gated.row(i)) entry = g[m] * entry;
  }
  return weighted_mean<K>(w, gated);
}

Law all_rules() {
  return identity("sas.gated_attention_multiplies_weights_or_values_by_gates",
                  "softmax(z + log g) V = sum g E v / sum g E (inner), softmax(z) (g V) (outer): three normalisations, "
                  "both forms, both scopes",
                  "[SAS] eq. 4, 9; [SAS-notes] s2.2, s2.4; SAS-004, SAS-005", 400, 32, []<class K>(Source<K>& from) {
                    const QueryPlace place = drawn_place(from);
                    const auto x = drawn_query(from, place);
                    const BlockSet selected = drawn_blocks(from, place.history());
                    const Matrix<K> v = from.values(place.visible(), from.size("dv", 1, 2));
                    const GateRule& rule = drawn_rule(from.size("rule", 0, 23));
                    const Outputs<K> o = attention(training_terms(x, selected, rule), v).o;
                    return same("o", o, defined_output(x, v, selected, rule));
                  });
}

/// v = 1 reads the sum of the weights.
Law weights_sum() {
  return identity("sas.weights_of_inner_gates_sum_to_one",
                  "v = 1: o = 1 for every normalisation, form and scope of inner gates",
                  "[SAS] eq. 9; [SAS-notes] s2.2; SAS-004", 200, 16, []<class K>(Source<K>& from) {
                    const QueryPlace place = drawn_place(from);
                    const auto x = drawn_query(from, place);
                    const BlockSet selected = drawn_blocks(from, place.history());
                    const GateRule& rule = drawn_rule(from.size("rule", 0, 11));
                    const auto terms = training_terms(x, selected, rule);
                    return same("o", attention(terms, Matrix<K>(place.visible(), 1, K(1))).o, Outputs<K>{K(1)});
                  });
}

/// Σ p g < 1 where a gate is below 1 and its weight above 0.
Law outer_weights() {
  return inequality("sas.weights_of_outer_gates_sum_below_one",
                    "C >= 2, a block selected: sum p_i g_{b(i)} < 1 with outer softmax gates",
                    "[SAS-notes] s2.4; SAS-020", 16, [](Source<Rational>& from) {
                      const QueryPlace place = drawn_place(from, 2, 4);
                      const auto x = drawn_query(from, place);
                      BlockSet selected = drawn_blocks(from, place.history());
                      if (selected.empty()) selected = {0};
                      const auto terms = training_terms(x, selected, {.position = GatePosition::outer});
                      const Rational sum = attention(terms, Matrix<Rational>(place.visible(), 1, Rational(1))).o[0];
                      return holds_if(Rational(0) < sum && sum < Rational(1), "sum of weights " + text_of(sum));
                    });
}

Law common_factor() {
  return generic_identity(
      "sas.a_factor_common_to_all_gates_scales_outer_outputs_alone",
      "c g_m for every m, g_0 too: o becomes c o with outer gates, and stays with inner ones",
      "[SAS-notes] s2.4; SAS-020", 400, 8, []<class K>(Source<K>& from) {
        const QueryPlace place = drawn_place(from, 1);
        const auto x = drawn_query(from, place);
        const BlockSet selected = drawn_blocks(from, place.history());
        const Matrix<K> v = from.values(place.visible(), 1);
        const auto c = drawn_score(from);
        auto inner = training_terms(x, selected);
        auto outer = training_terms(x, selected, {.position = GatePosition::outer});
        const Outputs<K> inner_before = attention(inner, v).o, outer_before = attention(outer, v).o;
        for (auto& term : inner) term.logit = term.logit + c;
        for (auto& term : outer) term.factor = c.power * term.factor;
        return all_of({same("inner", attention(inner, v).o, inner_before),
                       same("outer", attention(outer, v).o, Outputs<K>{c.power * outer_before[0]})});
      });
}

/// Later tokens have values here, and no logits: they are not read.
Law current_block() {
  return generic_identity(
      "sas.the_current_block_is_causal_and_has_no_bias",
      "o does not change with later values; K = 0: softmax over tokens C b .. t, whatever the scores; one token: o = "
      "v_t",
      "[SAS-notes] s2.1, s2.8; SAS-002, SAS-049", 200, 16, []<class K>(Source<K>& from) {
        const QueryPlace place = drawn_place(from);
        const auto x = drawn_query(from, place);
        const Matrix<K> v = from.values(place.visible() + 3, 2);
        Matrix<K> changed = v;
        for (std::size_t i = place.visible(); i < changed.rows(); ++i) changed(i, 0) = from.free();
        const auto terms = training_terms(x, all_blocks(place.history())), alone = training_terms(x, {});
        std::vector<K> w(place.visible(), K(0));
        for (std::size_t i = place.current_begin(); i < w.size(); ++i) w[i] = x.z[i].power;
        Matrix<K> seen(place.visible(), 2);
        for (std::size_t i = 0; i < seen.rows(); ++i) std::ranges::copy(v.row(i), seen.row(i).begin());
        FirstFailure found;
        found.note(same("later values", attention(terms, changed).o, attention(terms, v).o));
        found.note(same("K = 0", attention(alone, v).o, weighted_mean<K>(w, seen)));
        if (place.current_begin() == place.t)
          found.note(same("one token", attention(alone, v).o, Outputs<K>{v(place.t, 0), v(place.t, 1)}));
        return found.outcome();
      });
}

/// n stands for 1/√d: powers of E, so that the scaled logit is a logarithm too.
Law scale() {
  return generic_identity(
      "sas.gates_are_added_after_logits_are_scaled",
      "softmax(c x + log g) weighs by g e^{cx}; softmax(c (x + log g)) by g^c e^{cx}, which is another attention",
      "[SAS-notes] s2.1, s2.8; SAS-008", 600, 8, []<class K>(Source<K>& from) {
        const QueryPlace place = drawn_place(from, 2, 3);
        auto x = drawn_query(from, place);
        const std::size_t scale = from.size("c", 2, 3);
        const auto unscaled = x.z;
        for (auto& z : x.z) z = multiple(static_cast<std::int64_t>(scale), z);
        const BlockSet all = all_blocks(place.history());
        const Matrix<K> v = from.values(place.visible(), 2);
        const std::vector<K> g = defined_gates(x, all, {});
        std::vector<K> right, wrong;
        for (std::size_t i = 0; i < v.rows(); ++i) {
          const K e = unscaled[i].power, gate = g[i / place.block_size];
          right.push_back(gate * integer_power(e, static_cast<std::int64_t>(scale)));
          wrong.push_back(integer_power(K(gate * e), static_cast<std::int64_t>(scale)));
        }
        const Outputs<K> o = attention(training_terms(x, all), v).o;
        return all_of(
            {same("o", o, weighted_mean<K>(right, v)), differs("scaled together", weighted_mean<K>(wrong, v), o)});
      });
}

/// Two layers of which the upper one has no gate: its weights are the Jacobian through which the lower gates learn.
Law frozen_layer() {
  return generic_identity(
      "sas.gates_below_a_frozen_layer_learn_through_its_jacobian",
      "loss = sum_j p_j o_j, p frozen, o_j gated: d loss = sum_j p_j do_j; leaving out the upper layer gives another "
      "gradient",
      "[SAS-notes] s2.2; SAS-009", 800, 4, []<class K>(Source<K>& from) {
        using D = Dual<K>;
        const QueryPlace place = drawn_place(from, 2, 3);
        const BlockSet selected{0};
        Matrix<D> lower(2, 1);
        for (std::size_t j = 0; j < 2; ++j) {
          Query<Logarithm<D>> x{place, {}, {}};
          for (const auto& z : drawn_scores(from, place.visible())) x.z.push_back({D(z.power)});
          for (const auto& s : drawn_scores(from, place.history())) x.s.push_back({D(s.power, s.power * from.free())});
          Matrix<D> v(place.visible(), 1);
          for (std::size_t i = 0; i < v.rows(); ++i) v(i, 0) = D(from.free());
          lower(j, 0) = attention(training_terms(x, selected), v).o[0];
        }
        const Query<Logarithm<K>> upper = drawn_query(from, QueryPlace{1, 2});
        const auto p = probabilities(dense_terms(upper), lse_of(dense_terms(upper)));
        const Query<Logarithm<D>> frozen{{1, 2}, {{D(upper.z[0].power)}, {D(upper.z[1].power)}}, {}};
        const K loss = attention(dense_terms(frozen), lower).o[0].tangent;
        return all_of({same("d loss", loss, K(p[0] * lower(0, 0).tangent + p[1] * lower(1, 0).tangent)),
                       differs("without the upper layer", K(lower(0, 0).tangent + lower(1, 0).tangent), loss)});
      });
}

Law refusals() {
  return settled<F61>("sas.a_query_without_its_parts_is_refused",
                      "logits, scores and blocks of other numbers than the place has, blocks twice, blocks of 0 tokens",
                      "own", []<class K>(Source<K>& from) {
                        const QueryPlace place{4, 2};
                        const auto x = drawn_query(from, place);
                        Query<Logarithm<K>> few = x, scores = x, empty = x;
                        few.z.pop_back();
                        scores.s.pop_back();
                        empty.place.block_size = 0;
                        return all_of({refused("4 logits of 5", [&] { training_terms(few, {}); }),
                                       refused("1 score of 2", [&] { inference_terms(scores, {}); }),
                                       refused("block 3 of 2", [&] { training_terms(x, {2}); }),
                                       refused("a block twice",
                                               [&] {
                                                 training_terms(x, {1, 1});
                                               }),
                                       refused("blocks of 0", [&] { dense_terms(empty); }),
                                       refused("a short v", [&] { attention(dense_terms(x), Matrix<K>(3, 1)); })});
                      });
}

}  // namespace

std::vector<Law> sas_attention_laws() {
  return {all_rules(),     weights_sum(), outer_weights(), common_factor(),
          current_block(), scale(),       frozen_layer(),  refusals()};
}

}  // namespace assay
