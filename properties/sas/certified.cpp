#include "oracle/sas/certified.hpp"

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
#include "properties/within_radii.hpp"

namespace assay {
namespace {

/// Some blocks of 16 tokens, an empty history included.
Case draw_case(const Operator& op, Draw& draw) {
  const auto up_to = [&](std::uint64_t most) { return 1 + static_cast<std::int64_t>(draw.below(most)); };
  Kernel any{.name = "any", .op = &op};
  any.limits.blocks = {op.uses(Axis::feature) ? 16 : 4};
  return make_case(any, draw_family_with_values(op, draw), draw.bits(),
                   {up_to(2), up_to(70), up_to(2), up_to(9), up_to(9)});
}

using Values = References (*)(const Case&);

References in_balls(const Case& c) { return sas::attention_in_balls(c, 128); }

Law law(std::string_view name, const Operator& (*op)(), Values certified = sas::certified_attention,
        Values defined = sas::attention_by_definition, std::string_view source = "[SAS] eq. 1, 2, 3, 9") {
  const auto check = [=](Draw& draw) {
    const Case c = draw_case(op(), draw);
    return within_radii(c, certified(c), defined(c));
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
