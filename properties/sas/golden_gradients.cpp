#include <cstddef>
#include <vector>

#include "arith/rational.hpp"
#include "oracle/sas/attention_gradients.hpp"
#include "oracle/sas/gate_gradients.hpp"
#include "oracle/sas/score_gradients.hpp"
#include "oracle/sas/straight_through_gradients.hpp"
#include "properties/identity.hpp"
#include "properties/same.hpp"
#include "properties/sas/laws.hpp"

/// Gradients worked out by hand from the source texts, with none of the oracle's code.
namespace assay {
namespace {

using namespace sas;
using Q = Rational;
using Row = std::vector<Q>;

Matrix<Q> rows(const std::vector<Row>& entries) {
  Matrix<Q> m(entries.size(), entries.empty() ? 0 : entries.front().size());
  for (std::size_t i = 0; i < m.rows(); ++i)
    for (std::size_t j = 0; j < m.cols(); ++j) m(i, j) = entries[i].at(j);
  return m;
}

/// Two history blocks and the current one, one token each, z = 0, v_0 = 1, v_1 = 4, v_2 = 0. dO = 1 throughout.
AttendedTokens<Q> three_tokens() { return {{Q(1), Q(1), Q(1)}, {0, 1, 2}, rows({{Q(1)}, {Q(4)}, {Q(0)}})}; }
AttendedTokens<Q> without_the_last() { return {{Q(1), Q(1), Q(0)}, {0, 1, 2}, rows({{Q(1)}, {Q(4)}, {Q(0)}})}; }
const Row halves{Q(1, 2), Q(1, 2)};
const Row halves_and_one{Q(1), Q(1, 2), Q(1, 2)};
const Row one{Q(1)};

/// s = (0, 0), g = (1/2, 1/2), Z = 1 + 1/2 + 1/2 = 2: weights (1/2, 1/4, 1/4), o = 1/2 + 1 = 3/2.
///   dg = (1/2)(1 - 3/2), (1/2)(4 - 3/2), (1/2)(0 - 3/2) = -1/4, 5/4, -3/4
///   sum of g dg over history = 5/8 - 3/8 = 1/4,  ds = (1/2)(5/4 - 1/4), (1/2)(-3/4 - 1/4) = 1/2, -1/2
Law full_scope() {
  return settled<Q>(
      "sas.golden_gradient_of_the_quarter_quarter_half_example",
      "weights 1/4, 1/4, 1/2: dg = -1/4, 5/4, -3/4, ds = 1/2, -1/2", "[SAS-notes] s2.5, eq. 5, 8; SAS-026",
      [](Source<Q>&) {
        const std::vector<Logarithm<Q>> s(2);
        const Row weights{Q(1), halves[0], halves[1]};
        const Row d_gates = inner_gate_gradients<Q>(three_tokens(), halves_and_one, one);
        return all_of({same("g", gates(std::span<const Logarithm<Q>>(s)), halves),
                       same("o", weighted_mean<Q>(weights, three_tokens().v), Row{Q(3, 2)}),
                       same("dg", d_gates, Row{Q(-1, 4), Q(5, 4), Q(-3, 4)}),
                       same("ds", score_gradients<Q>(halves, Row{Q(5, 4), Q(-3, 4)}), Row{Q(1, 2), Q(-1, 2)})});
      });
}

/// Block 2 is not selected: Z = 3/2, o = (1 + 2)/(3/2) = 2.
///   dg = (2/3)(1 - 2), (2/3)(4 - 2), 0 = -2/3, 4/3, 0: another dg_1 than in full scope
///   sum of g dg over history = 2/3,  ds = (1/2)(4/3 - 2/3), -(1/2)(2/3) = 1/3, -1/3
/// The second is g_2 times the current block's (2/3)(1 - 2).
Law sparse_scope() {
  return settled<Q>("sas.golden_gradient_of_the_example_in_sparse_scope",
                    "the second block unselected: dg = -2/3, 4/3, 0, ds = 1/3, -1/3; dg_1 is 5/4 in full scope",
                    "[SAS] eq. 5, 8, sparse; SAS-040, SAS-043, SAS-044, SAS-045", [](Source<Q>&) {
                      const Row d_gates = inner_gate_gradients<Q>(without_the_last(), halves_and_one, one);
                      const Row full = inner_gate_gradients<Q>(three_tokens(), halves_and_one, one);
                      return all_of({same("dg", d_gates, Row{Q(-2, 3), Q(4, 3), Q(0)}),
                                     same("ds", score_gradients<Q>(halves, Row{Q(4, 3), Q(0)}), Row{Q(1, 3), Q(-1, 3)}),
                                     differs("dg of full scope", full[1], d_gates[1])});
                    });
}

/// p = 1/3 each, o = (1 + 2 + 0)/3 = 1: dg = 1/3, 4/3, 0, and sum of g dg = 1/3 + 2/3 = 1 = o, not 0.
Law outer_position() {
  return settled<Q>("sas.golden_gradient_of_outer_gates", "dg = 1/3, 4/3, 0 with sum of g dg = 1",
                    "[SAS] eq. 5, outer; SAS-018, SAS-019", [](Source<Q>&) {
                      const Row d_gates = outer_gate_gradients<Q>(three_tokens(), 3, one);
                      return all_of({same("dg", d_gates, Row{Q(1, 3), Q(4, 3), Q(0)}),
                                     same("sum of g dg", dot<Q>(halves_and_one, d_gates), Q(1))});
                    });
}

/// Raw scores 0: g = 1, weights 1/3 each, o = 5/3. d log g_1 = (1/3)(4 - 5/3) = 7/9, d log g_2 = -5/9 and ds the same,
/// of sum 2/9: along a common shift o moves. Sigmoid of 0: g = 1/2, as softmax, d log g = 5/8, -3/8, times 1 - 1/2:
/// ds = 5/16, -3/16, of sum 1/8.
Law other_rules() {
  return settled<Q>("sas.golden_gradients_of_raw_and_sigmoid_scores",
                    "raw: weights 1/3 each, ds = 7/9, -5/9; sigmoid: ds = 5/16, -3/16; neither sums to 0",
                    "[SAS-notes] s2.5; SAS-025, SAS-026", [](Source<Q>&) {
                      const auto scores = [](Normalisation rule) {
                        const std::vector<Logarithm<Q>> s(2);
                        Row g = gates(std::span<const Logarithm<Q>>(s), rule);
                        const Row history = g;
                        g.insert(g.begin(), Q(1));
                        const Row d_log = log_gate_gradients<Q>(g, inner_gate_gradients<Q>(three_tokens(), g, one));
                        return score_gradients_of_log_gates<Q>(history, std::span<const Q>(d_log).subspan(1), rule);
                      };
                      return all_of({same("raw", scores(Normalisation::raw), Row{Q(7, 9), Q(-5, 9)}),
                                     same("sigmoid", scores(Normalisation::sigmoid), Row{Q(5, 16), Q(-3, 16)}),
                                     same("softmax", scores(Normalisation::softmax), Row{Q(1, 2), Q(-1, 2)})});
                    });
}

/// Hard gates 1, 1, 0 with E_2 = 10: o = (1 + 4)/2 = 5/2, ratios 1/2, 1/2, 5.
///   dg = (1/2)(1 - 5/2), (1/2)(4 - 5/2), 5 (0 - 5/2) = -3/4, 3/4, -25/2
///   soft gates 1/2: mean 3/8 - 25/4 = -47/8,  ds = (1/2)(3/4 + 47/8), (1/2)(-25/2 + 47/8) = 53/16, -53/16
Law hard_gates() {
  return settled<Q>(
      "sas.golden_straight_through_gradient",
      "an unselected token of weight 10: its ratio is 5, dg = -3/4, 3/4, -25/2, ds = 53/16, -53/16",
      "[SAS] eq. 7; SAS-032, SAS-033", [](Source<Q>&) {
        AttendedTokens<Q> x = three_tokens();
        x.E[2] = Q(10);
        const std::vector<int> selected{1, 1, 0};
        const auto d = straight_through_gradients<Q>(x, selected, halves, one);
        return all_of({same("ratios", straight_through_ratios<Q>(x, selected), Row{Q(1, 2), Q(1, 2), Q(5)}),
                       same("dg", d.gates, Row{Q(-3, 4), Q(3, 4), Q(-25, 2)}),
                       same("ds", d.scores, Row{Q(53, 16), Q(-53, 16)})});
      });
}

/// One query at token 2 of blocks of 1, d = dv = 2, c = 1/2, q = (2, 1), keys (1, -2), (-1, 2), (2, -4) orthogonal to
/// it, so z = 0; e^s = 1, 3, so g = (1/4, 3/4); v = (8, 0), (0, 8), (2, 4), dO = (1, -1), <dO, v> = 8, -8, -2.
Query<Logarithm<Q>> last_token() { return {{2, 1}, std::vector<Logarithm<Q>>(3), {{Q(1)}, {Q(3)}}}; }

struct HeadResult {
  AttentionGradients<Q> d;
  Matrix<Q> log_gates;
  Row scores;
};
HeadResult gradients_of_last_token(const BlockSet& selected, const Q& d_lse) {
  const Matrix<Q> q = rows({{Q(2), Q(1)}}), k = rows({{Q(1), Q(-2)}, {Q(-1), Q(2)}, {Q(2), Q(-4)}});
  const Matrix<Q> v = rows({{Q(8), Q(0)}, {Q(0), Q(8)}, {Q(2), Q(4)}}), d_o = rows({{Q(1), Q(-1)}});
  const std::vector<std::vector<Term<Logarithm<Q>>>> terms{training_terms(last_token(), selected)};
  const std::vector<Logarithm<Q>> lse{lse_of(terms[0])};
  const RowWeights<Q> w = recomputed_weights<Logarithm<Q>>(terms, lse, 3);
  const Row deltas = row_deltas<Q>(w.product() * v, d_o, Row{d_lse}), g{Q(1, 4), Q(3, 4)};
  const std::vector<QueryPlace> places{last_token().place};
  HeadResult r{attention_gradients<Q>(q, k, v, Q(1, 2), w, deltas, d_o), {}, {}};
  r.log_gates = log_gate_gradients<Q>(r.d, w, GatePosition::inner, places);
  r.scores = score_gradients_of_log_gates<Q>(g, r.log_gates.row(0), Normalisation::softmax);
  return r;
}

/// Both blocks selected, dL = 3: Z = 1/4 + 3/4 + 1 = 2, P = 1/8, 3/8, 1/2, o = (2, 5), Delta = -3 - 3 = -6.
///   dS = (1/8) 14, (3/8)(-2), (1/2) 4 = 7/4, -3/4, 2, of sum 3
///   dq = (1/2)((7/4)(1, -2) - (3/4)(-1, 2) + 2 (2, -4)) = (13/4, -13/2)
///   dk = (1/2) dS (2, 1) = (7/4, 7/8), (-3/4, -3/8), (2, 1)
///   dv = P (1, -1),  d log G = 7/4, -3/4 of sum 1,  ds = 7/4 - 1/4, -3/4 - 3/4 = 3/2, -3/2
Law whole_head() {
  return settled<Q>(
      "sas.golden_gradient_of_a_head", "P = 1/8, 3/8, 1/2, dL = 3: dq, dk, dv, d log G = 7/4, -3/4, ds",
      "[SAS] eq. 8, 9, alg. 4; SAS-050, SAS-051, SAS-052", [](Source<Q>&) {
        const HeadResult r = gradients_of_last_token({0, 1}, Q(3));
        return all_of({same("dS", r.d.logits, rows({{Q(7, 4), Q(-3, 4), Q(2)}})),
                       same("dq", r.d.q, rows({{Q(13, 4), Q(-13, 2)}})),
                       same("dk", r.d.k, rows({{Q(7, 4), Q(7, 8)}, {Q(-3, 4), Q(-3, 8)}, {Q(2), Q(1)}})),
                       same("dv", r.d.v, rows({{Q(1, 8), Q(-1, 8)}, {Q(3, 8), Q(-3, 8)}, {Q(1, 2), Q(-1, 2)}})),
                       same("d log G", r.log_gates, rows({{Q(7, 4), Q(-3, 4)}})),
                       same("ds", r.scores, Row{Q(3, 2), Q(-3, 2)})});
      });
}

Matrix<float> in_float(const Matrix<Q>& m) {
  Matrix<float> result(m.rows(), m.cols());
  for (std::size_t i = 0; i < m.rows(); ++i)
    for (std::size_t j = 0; j < m.cols(); ++j) result(i, j) = m(i, j).convert_to<float>();
  return result;
}

/// Every number of that head is a small multiple of 1/8.
Law whole_head_in_float() {
  return settled<Q>(
      "sas.golden_gradient_of_a_head_in_float32_is_exact",
      "from P = 1/8, 3/8, 1/2: dq, dk, dv, d log G, ds bit for bit", "[SAS] eq. 8, alg. 4; SAS-050", [](Source<Q>&) {
        const HeadResult want = gradients_of_last_token({0, 1}, Q(3));
        const Matrix<float> P = in_float(rows({{Q(1, 8), Q(3, 8), Q(1, 2)}})), one_row(1, 3, 1.0f);
        const Matrix<float> q = in_float(rows({{Q(2), Q(1)}})),
                            k = in_float(rows({{Q(1), Q(-2)}, {Q(-1), Q(2)}, {Q(2), Q(-4)}})),
                            v = in_float(rows({{Q(8), Q(0)}, {Q(0), Q(8)}, {Q(2), Q(4)}})),
                            d_o = in_float(rows({{Q(1), Q(-1)}}));
        const std::vector<float> d_lse{3.0f}, g{0.25f, 0.75f};
        const RowWeights<float> w{P, one_row};
        const auto d = attention_gradients<float>(q, k, v, 0.5f, w, row_deltas<float>(P * v, d_o, d_lse), d_o);
        const std::vector<QueryPlace> places{last_token().place};
        const auto log_gates = log_gate_gradients<float>(d, w, GatePosition::inner, places);
        const auto scores = score_gradients_of_log_gates<float>(g, log_gates.row(0), Normalisation::softmax);
        return all_of({same("dq", d.q, in_float(want.d.q)), same("dk", d.k, in_float(want.d.k)),
                       same("dv", d.v, in_float(want.d.v)), same("d log G", log_gates, in_float(want.log_gates)),
                       same("ds", scores, std::vector<float>{1.5f, -1.5f})});
      });
}

/// The second block alone, dL = 0: Z = 7/4, P = 0, 3/7, 4/7, o = (8/7, 40/7), Delta = -32/7.
///   dS = 0, (3/7)(-8 + 32/7), (4/7)(-2 + 32/7) = 0, -72/49, 72/49
///   d log G = 0, -72/49,  ds = (1/4)(72/49), -72/49 + (3/4)(72/49) = 18/49, -18/49
Law sparse_head() {
  return settled<Q>("sas.golden_gradient_of_a_sparse_head",
                    "the first block unselected: dS = 0, -72/49, 72/49, d log G = 0, -72/49, ds = 18/49, -18/49",
                    "[SAS] eq. 8, 9, alg. 4; SAS-040, SAS-050", [](Source<Q>&) {
                      const HeadResult r = gradients_of_last_token({1}, Q(0));
                      return all_of({same("dS", r.d.logits, rows({{Q(0), Q(-72, 49), Q(72, 49)}})),
                                     same("d log G", r.log_gates, rows({{Q(0), Q(-72, 49)}})),
                                     same("ds", r.scores, Row{Q(18, 49), Q(-18, 49)})});
                    });
}

}  // namespace

std::vector<Law> sas_golden_gradients_laws() {
  return {full_scope(), sparse_scope(), outer_position(),      other_rules(),
          hard_gates(), whole_head(),   whole_head_in_float(), sparse_head()};
}

}  // namespace assay
