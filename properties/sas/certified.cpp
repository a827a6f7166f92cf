#include "oracle/sas/certified.hpp"

#include <cmath>

#include <fmt/format.h>

#include "oracle/sas/ball_attention.hpp"
#include "oracle/sas/defined.hpp"
#include "oracle/sas/gates_oracle.hpp"
#include "oracle/sas/score_gradients_oracle.hpp"
#include "oracle/sas/select_oracle.hpp"
#include "problem/operators/sas.hpp"
#include "problem/operators/sas_gates.hpp"
#include "problem/sized_case.hpp"
#include "properties/identity.hpp"
#include "properties/sas/laws.hpp"

namespace assay {
namespace {

/// Of a family that is held against values.
const Family& draw_family(const Operator& op, Draw& draw) {
  const std::span<const Family> families = families_of(op);
  for (;;) {
    const Family& family = families[draw.below(families.size())];
    if (family.standard == Standard::bound || family.standard == Standard::exact) return family;
  }
}

/// Some blocks of 16 tokens, an empty history included.
Case draw_case(const Operator& op, Draw& draw) {
  const auto up_to = [&](std::uint64_t most) { return 1 + static_cast<std::int64_t>(draw.below(most)); };
  Kernel any{.name = "any", .op = &op};
  any.limits.blocks = {op.uses(Axis::feature) ? 16 : 4};
  return make_case(any, draw_family(op, draw), draw.bits(), {up_to(2), up_to(70), up_to(2), up_to(9), up_to(9)});
}

/// Every element, as far as it is finite: |certified - defined| <= both radii.
Outcome enclosed(const Case& c, const References& certified, const References& defined) {
  for (const auto& [name, got] : certified) {
    const Reference& want = defined.at(name);
    for (std::size_t i = 0; i < want.hi.size(); ++i) {
      if (got.hi[i] == want.hi[i] && got.lo[i] == want.lo[i]) continue;
      const double difference = std::abs((got.hi[i] - want.hi[i]) + (got.lo[i] - want.lo[i]));
      if (difference <= got.radius[i] + want.radius[i]) continue;
      return Outcome::fails(
          fmt::format("{}: {}, element {}: {:.3g} apart, radius {:.3g}", c.family, name, i, difference, got.radius[i]));
    }
  }
  return Outcome::holds();
}

using Values = References (*)(const Case&);

References in_balls(const Case& c) { return sas::attention_in_balls(c, 128); }

Law law(std::string_view name, const Operator& (*op)(), Values certified = sas::certified_attention,
        Values defined = sas::attention_by_definition, std::string_view source = "[SAS] eq. 1, 2, 3, 9") {
  const auto check = [=](Draw& draw) {
    const Case c = draw_case(op(), draw);
    return enclosed(c, certified(c), defined(c));
  };
  return {name, "|certified - definition| <= radius, in every family",        source, Proof::tested, 0,
          60,   {{defined == in_balls ? "Arb" : "MPFR, 50 digits", 0, check}}};
}

}  // namespace

std::vector<Law> sas_certified_laws() {
  return {law("sas.certified_softmax_holds_the_definition", operators::softmax_attention),
          law("sas.certified_attention_holds_the_definition", operators::sas_attention),
          law("sas.certified_attention_meets_its_balls", operators::sas_attention, sas::certified_attention, in_balls),
          law("sas.certified_scores_hold_the_definition", operators::sas_select, sas::certified_scores,
              sas::scores_by_definition),
          law("sas.certified_gates_hold_the_definition", operators::sas_gates, sas::certified_gates,
              sas::gates_by_definition, "[SAS] eq. 4, 6"),
          law("sas.certified_score_gradients_hold_the_definition", operators::sas_score_gradients,
              sas::certified_score_gradients, sas::score_gradients_by_definition, "[SAS] eq. 6, 7, 8"),
          law("sas.certified_softmax_decode_holds_the_definition", operators::softmax_decode),
          law("sas.certified_decode_holds_the_definition", operators::sas_decode)};
}

}  // namespace assay
