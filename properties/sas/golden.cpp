#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "arith/rational.hpp"
#include "oracle/sas/certified.hpp"
#include "oracle/sas/defined.hpp"
#include "oracle/sas/streaming.hpp"
#include "problem/case_mix.hpp"
#include "problem/operators/sas.hpp"
#include "properties/enumerated.hpp"
#include "properties/same.hpp"
#include "properties/sas/laws.hpp"

/// Cases worked out by hand from the source texts, with none of the oracle's code.
namespace assay {
namespace {

using namespace sas;
using Q = Rational;
using Row = std::vector<Q>;

/// The last of three tokens in blocks of one: powers e^z and e^s.
Query<Logarithm<Q>> last_token(const Row& e_z, const Row& e_s) {
  Query<Logarithm<Q>> x{{2, 1}, {}, {}};
  for (const Q& power : e_z) x.z.push_back({power});
  for (const Q& power : e_s) x.s.push_back({power});
  return x;
}

Matrix<Q> column(const Row& entries) {
  Matrix<Q> m(entries.size(), 1);
  for (std::size_t i = 0; i < entries.size(); ++i) m(i, 0) = entries[i];
  return m;
}

/// o and e^L, at once and by tiles of two tokens.
Outcome gives(std::string_view what, const std::vector<Term<Logarithm<Q>>>& terms, const Row& v, const Q& o,
              const Q& power) {
  const Attention<Logarithm<Q>> want{{o}, {power}}, got = attention(terms, column(v));
  return all_of({same(what, got.o[0], o), same(what, got.lse, want.lse),
                 holds_if(streamed(terms, column(v), 2) == want, std::string(what) + ": by tiles another")});
}

/// z = 0, s = 0, v = 4, 0, 1. g = (1/2, 1/2).
///   inside    weights 1/2, 1/2, 1 of 2: shares 1/4, 1/4, 1/2        o = 1 + 1/2             = 3/2, e^L = 2
///   sparse    the second block unselected: 1/2, 1 of 3/2            o = (1/3) 4 + 2/3       = 2,   e^L = 3/2
///   outside   shares 1/3 each                                       o = (1/3)((1/2) 4 + 1)  = 1,   e^L = 3
///   prefill   shares 1/3 each                                       o = 5/3,                       e^L = 3
///   inference gates removed: the first block and its own            o = 5/2,                       e^L = 2
Law quarters_and_half() {
  return enumerated("sas.golden_case_of_quarter_quarter_half",
                    "z = 0, two gates of 1/2: o = 3/2, sparse 2, outside 1, dense 5/3, inference 5/2",
                    "[SAS] eq. 1, 2, 4, 9; [SAS-notes] s2.2, s2.5; SAS-026", "rationals", [] {
                      const auto x = last_token({Q(1), Q(1), Q(1)}, {Q(1), Q(1)});
                      const Row v{Q(4), Q(0), Q(1)};
                      GateRule full, outside;
                      full.scope = outside.scope = Scope::full;
                      outside.position = GatePosition::outer;
                      return all_of({gives("inside", training_terms(x, {}, full), v, Q(3, 2), Q(2)),
                                     gives("sparse", training_terms(x, {0}), v, Q(2), Q(3, 2)),
                                     gives("outside", training_terms(x, {}, outside), v, Q(1), Q(3)),
                                     gives("dense", dense_terms(x), v, Q(5, 3), Q(3)),
                                     gives("inference", inference_terms(x, {0}), v, Q(5, 2), Q(2))});
                    });
}

/// e^z = 2, 3, 5, v = 1, 4, 6, and e^s as the gate itself: the first is closed, the second 1/3.
///   inside   weights 0, 1, 5           o = (4 + 30)/6                     = 17/3, e^L = 6
///   outside  weights 2, 3, 5           o = (0 + 3 (1/3) 4 + 30)/10        = 17/5, e^L = 10
/// Both closed: inside the token's own value alone, o = 6, e^L = 5; outside o = 30/10 = 3, e^L = 10.
Law closed_gate() {
  return enumerated("sas.golden_case_of_a_closed_gate",
                    "a gate of 0 takes its tokens out inside the softmax: o = 17/3; outside their weight stays: 17/5",
                    "[SAS] eq. 4, 9; [SAS-notes] s2.2, s2.4", "rationals", [] {
                      const Row e_z{Q(2), Q(3), Q(5)}, v{Q(1), Q(4), Q(6)};
                      const GateRule inside{GatePosition::inner, Normalisation::raw, GateForm::continuous, Scope::full};
                      GateRule outside = inside;
                      outside.position = GatePosition::outer;
                      const auto one = last_token(e_z, {Q(0), Q(1, 3)}), both = last_token(e_z, {Q(0), Q(0)});
                      // Not by tiles, as the first one has nothing to refer to.
                      const auto alone = attention(training_terms(both, {}, inside), column(v));
                      return all_of({gives("inside", training_terms(one, {}, inside), v, Q(17, 3), Q(6)),
                                     gives("outside", training_terms(one, {}, outside), v, Q(17, 5), Q(10)),
                                     gives("both outside", training_terms(both, {}, outside), v, Q(3), Q(10)),
                                     same("both inside, o", alone.o, Row{Q(6)}), same("e^L", alone.lse.power, Q(5))});
                    });
}

/// One head of q = (1, 2) and keys (2, -1), (-2, 1), (4, -2), (-4, 2) that are orthogonal to it, so that x = 0; v = 1,
/// 4, 7, 2.
Case orthogonal_case(const Operator& op, std::int64_t tokens, std::int64_t block_size, double position) {
  Case c;
  c.op = &op;
  c.family = "golden";
  c.parameters = {{"scale", 3}, {"b", static_cast<double>(block_size)}, {"position", position}};
  c.sizes[Axis::time] = tokens, c.sizes[Axis::feature] = 2;
  c.sizes[Axis::block] = c.sizes[Axis::slot] = 1;
  return c;
}

void fill(Case& c) {
  constexpr double keys[][2] = {{2, -1}, {-2, 1}, {4, -2}, {-4, 2}}, values[] = {1, 4, 7, 2};
  for (std::int64_t t = 0; t < c.sizes[Axis::time]; ++t) {
    for (std::int64_t f = 0; f < 2; ++f) c.inputs.at("k").set(2 * t + f, keys[t][f]);
    c.inputs.at("v").set(t, values[t]);
  }
  for (std::int64_t i = 0; i < c.inputs.at("q").count(); ++i) c.inputs.at("q").set(i, 1 + static_cast<double>(i % 2));
}

struct GoldenRow {
  double o, powers;  ///< e^L
};

/// By the certified oracle and by the definition, whose radii hold the double nearest to log e^L.
Outcome rows_are(std::string_view what, const Case& c, const std::vector<GoldenRow>& rows) {
  FirstFailure found;
  for (const References& got : {certified_attention(c), attention_by_definition(c)})
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto near = [&](std::string_view name, double want) {
        const Reference& x = got.find(name)->second;
        const bool holds = x.hi[i] == want || std::abs(x.hi[i] - want) <= x.radius[i] + 0x1p-52 * std::abs(want);
        found.note(holds_if(holds, std::string(what) + ": " + std::string(name) + "[" + std::to_string(i) + "] is " +
                                       text_of(x.hi[i]) + ", want " + text_of(want)));
      };
      near("o", rows[i].o);
      near("lse", std::log(rows[i].powers));
    }
  return found.outcome();
}

/// Rows of 1, 2 and 3 equal keys: o = 1, (1 + 4)/2, (1 + 4 + 7)/3, e^L = 1, 2, 3.
Law equal_keys() {
  return enumerated("sas.golden_case_of_equal_keys", "three tokens, x = 0: o = 1, 5/2, 4, L = 0, log 2, log 3",
                    "[SAS] eq. 1", "certified and defined", [] {
                      Case c = orthogonal_case(operators::softmax_attention(), 3, 1, 0);
                      add_tensors(c, [](const TensorSpec&) { return false; });
                      fill(c);
                      return rows_are("o", c, {{1, 1}, {2.5, 2}, {4, 3}});
                    });
}

/// Blocks of two tokens. Rows 0 and 1 have no history. Row 2 selects block 0, row 3 does not: (7 + 2)/2, e^L = 2.
///   open               (1 + 4 + 7)/3 = 4, e^L = 3
///   closed inside      7, e^L = 1
///   closed outside     7/3, e^L = 3
Law blocks_and_gates() {
  return enumerated(
      "sas.golden_case_of_selected_blocks",
      "b = 2, x = 0: row 2 has o = 4 by an open gate, 7 and 7/3 by a closed one inside and outside; row 3, which "
      "selects nothing, 9/2",
      "[SAS] eq. 2, 4, 9; [SAS-notes] s2.2", "certified and defined", [] {
        const auto with_gate = [](double position, double log_gate) {
          Case c = orthogonal_case(operators::sas_attention(), 4, 2, position);
          c.sizes[Axis::block] = 2;
          add_tensors(c, [](const TensorSpec& spec) { return spec.name == "log_gate"; });
          fill(c);
          for (std::int64_t t = 0; t < 4; ++t) c.inputs.at("selected").as<std::int64_t>()[t] = t == 2 ? 0 : -1;
          for (std::int64_t i = 0; i < 8; ++i) c.inputs.at("log_gate").set(i, log_gate);
          return c;
        };
        const double closed = -std::numeric_limits<double>::infinity();
        return all_of({rows_are("open", with_gate(0, 0), {{1, 1}, {2.5, 2}, {4, 3}, {4.5, 2}}),
                       rows_are("inside", with_gate(0, closed), {{1, 1}, {2.5, 2}, {7, 1}, {4.5, 2}}),
                       rows_are("outside", with_gate(1, closed), {{1, 1}, {2.5, 2}, {7.0 / 3, 3}, {4.5, 2}})});
      });
}

/// A sequence of no tokens has o = 0 and L = log 0; the one after it (1 + 4)/2 and log 2.
Law empty_sequence() {
  return enumerated("sas.golden_case_of_a_query_without_keys",
                    "o = 0 and L = -inf, and the next sequence 5/2 and log 2", "own, on [SAS] eq. 1",
                    "certified and defined", [] {
                      Case c = orthogonal_case(operators::softmax_decode(), 2, 1, 0);
                      c.sizes[Axis::sequences] = 2, c.sizes[Axis::bounds] = 3;
                      add_tensors(c, [](const TensorSpec& spec) { return spec.role == Role::bounds; });
                      fill(c);
                      c.inputs.at("cu_seqlens").as<std::int64_t>()[2] = 2;
                      return rows_are("o", c, {{0, 0}, {2.5, 2}});
                    });
}

}  // namespace

std::vector<Law> sas_golden_laws() {
  return {quarters_and_half(), closed_gate(), equal_keys(), blocks_and_gates(), empty_sequence()};
}

}  // namespace assay
