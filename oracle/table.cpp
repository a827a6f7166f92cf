#include "oracle/table.hpp"

#include <vector>

#include "oracle/sanatan/attention_bound.hpp"
#include "oracle/sanatan/by_definition.hpp"
#include "oracle/sanatan/certified.hpp"
#include "oracle/sanatan/exactness.hpp"
#include "oracle/sanatan/features_oracle.hpp"
#include "oracle/sanatan/over_field.hpp"
#include "oracle/sanatan/plain.hpp"
#include "oracle/sas/attention_bound.hpp"
#include "oracle/sas/certified.hpp"
#include "oracle/sas/defined.hpp"
#include "oracle/sas/exactness.hpp"
#include "oracle/sas/gates_oracle.hpp"
#include "oracle/sas/gradients_bound.hpp"
#include "oracle/sas/gradients_certified.hpp"
#include "oracle/sas/gradients_defined.hpp"
#include "oracle/sas/gradients_exactness.hpp"
#include "oracle/sas/gradients_plain.hpp"
#include "oracle/sas/plain.hpp"
#include "oracle/sas/score_gradients_oracle.hpp"
#include "oracle/sas/select_oracle.hpp"
#include "oracle/sfda/attention_bound.hpp"
#include "oracle/sfda/by_definition.hpp"
#include "oracle/sfda/certified.hpp"
#include "oracle/sfda/compose_bound.hpp"
#include "oracle/sfda/compose_oracle.hpp"
#include "oracle/sfda/compose_plain.hpp"
#include "oracle/sfda/exactness.hpp"
#include "oracle/sfda/over_field.hpp"
#include "oracle/sfda/plain.hpp"
#include "oracle/sfda/refined.hpp"
#include "oracle/sfda/rotation_blocks.hpp"
#include "oracle/sfda/rounded_at.hpp"
#include "problem/operators/sanatan.hpp"
#include "problem/operators/sas.hpp"
#include "problem/operators/sas_gates.hpp"
#include "problem/operators/sas_gradients.hpp"
#include "problem/operators/sfda.hpp"

namespace assay {

namespace {

Oracle delta_rule(const Operator& op) {
  return {.op = &op,
          .evaluate = sfda::certified_delta_rule,
          .bound = sfda::attention_bound,
          .plain = sfda::plain_attention,
          .rounding = [](const Case& c, const Contract& contract) { return sfda::rounding_of(c, contract); },
          .over_field = sfda::delta_rule_over_field,
          .by_definition = sfda::delta_rule_by_definition,
          .refined = sfda::refined_delta_rule,
          .windows = {.evaluate = sfda::certified_window,
                      .bound = sfda::window_bound,
                      .errors_after = sfda::errors_after_window},
          .rounded_at = sfda::rounded_at};
}

Oracle softmax(const Operator& op) {
  return {.op = &op,
          .evaluate = sas::certified_attention,
          .bound = sas::attention_bound,
          .plain = sas::plain_attention,
          .rounding = sas::rounding_of,
          .over_field = sas::attention_over_field,
          .by_definition = sas::attention_by_definition};
}

Oracle gradients(const Operator& op) {
  return {.op = &op,
          .evaluate = sas::certified_gradients,
          .bound = sas::gradients_bound,
          .plain = sas::plain_gradients,
          .rounding = sas::rounding_of_gradients,
          .over_field = sas::gradients_over_field,
          .by_definition = sas::gradients_by_definition};
}

}  // namespace

std::span<const Oracle> oracle_table() {
  static const std::vector<Oracle> oracles = {
      {.op = &operators::sanatan_features(), .evaluate = sanatan::certified_encoding, .bound = sanatan::encoding_bound},
      {.op = &operators::sanatan_attention(),
       .evaluate = sanatan::certified_attention,
       .bound = sanatan::attention_bound,
       .quotient = sanatan::quotient_of_sums,
       .plain = sanatan::plain_attention,
       .by_definition = sanatan::attention_by_definition},
      {.op = &operators::sanatan_feature_attention(),
       .evaluate = sanatan::certified_attention,
       .bound = sanatan::attention_bound,
       .quotient = sanatan::quotient_of_sums,
       .plain = sanatan::plain_attention,
       .rounding = [](const Case& c, const Contract& contract) { return sanatan::rounding_of(c, contract); },
       .over_field = sanatan::feature_attention_over_field,
       .by_definition = sanatan::attention_by_definition},
      delta_rule(operators::sfda_attention()),
      delta_rule(operators::kda_attention()),
      delta_rule(operators::gated_delta_attention()),
      delta_rule(operators::delta_attention()),
      {.op = &operators::rotation_blocks_attention(),
       .evaluate = sfda::certified_rotation_blocks,
       .bound = sfda::rotation_blocks_bound,
       .plain = sfda::plain_rotation_blocks,
       .rounding = sfda::rounding_of_rotation_blocks,
       .over_field = sfda::rotation_blocks_over_field,
       .by_definition = sfda::rotation_blocks_by_definition},
      {.op = &operators::sfda_compose(),
       .evaluate = sfda::certified_composition,
       .bound = sfda::compose_bound,
       .steps = sfda::compose_steps,
       .plain = sfda::plain_composition,
       .rounding = sfda::rounding_of_composition,
       .over_field = sfda::composition_over_field,
       .by_definition = sfda::composition_by_definition},
      softmax(operators::softmax_attention()),
      softmax(operators::sas_attention()),
      gradients(operators::softmax_gradients()),
      gradients(operators::sas_gradients()),
      {.op = &operators::sas_select(),
       .evaluate = sas::certified_scores,
       .bound = sas::score_allowances,
       .steps = sas::selection_of_scores,
       .plain = sas::plain_selection,
       .rounding = sas::rounding_of_scores,
       .over_field = sas::selection_over_field},
      {.op = &operators::sas_gates(),
       .evaluate = sas::certified_gates,
       .bound = sas::gates_bound,
       .plain = sas::plain_gates,
       .rounding = sas::rounding_of_gates,
       .over_field = sas::gates_over_field,
       .by_definition = sas::gates_by_definition},
      {.op = &operators::sas_score_gradients(),
       .evaluate = sas::certified_score_gradients,
       .bound = sas::score_gradients_bound,
       .plain = sas::plain_score_gradients,
       .rounding = sas::rounding_of_score_gradients,
       .over_field = sas::score_gradients_over_field,
       .by_definition = sas::score_gradients_by_definition},
      softmax(operators::softmax_decode()),
      softmax(operators::sas_decode())};
  return oracles;
}

}  // namespace assay
