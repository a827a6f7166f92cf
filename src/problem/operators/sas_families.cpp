#include "problem/operators/sas_families.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "problem/operators/fillers.hpp"
#include "problem/operators/sas.hpp"
#include "problem/operators/sas_exact_families.hpp"
#include "problem/operators/sas_gradients.hpp"
#include "problem/operators/sas_stored_forward.hpp"
#include "problem/operators/sas_values.hpp"
#include "problem/values.hpp"

namespace assay::operators {
namespace {

using enum Axis;

constexpr double infinity = std::numeric_limits<double>::infinity();

using Number = double (*)(Draw&);

double sharp(Draw& draw) { return 4 * bell(draw); }
double flat(Draw& draw) { return bell(draw) * 0x1p-10; }
double few_integers(Draw& draw) { return static_cast<double>(draw.below(7)) - 3; }
double byte_integers(Draw& draw) { return static_cast<double>(draw.below(511)) - 255; }
double spaced_integers(Draw& draw) { return 16 * (static_cast<double>(draw.below(31)) - 15); }
double any_integer(Draw& draw) { return static_cast<double>(draw.below(1 << 20)); }

double trained_gate(Draw& draw) { return -4 * std::abs(uniform(draw)); }
double deep_gate(Draw& draw) { return draw.below(2) == 0 ? -200 * std::abs(uniform(draw)) : trained_gate(draw); }
double closed_gate(Draw& draw) { return draw.below(2) == 0 ? -infinity : trained_gate(draw); }
double raw_gate(Draw& draw) { return 8 * uniform(draw); }
double whole_gate(Draw& draw) { return -static_cast<double>(draw.below(8)); }

/// 1/√d, as a float.
double usual_scale(const Case& c, Draw&) {
  return static_cast<double>(static_cast<float>(1 / std::sqrt(static_cast<double>(c.sizes[feature]))));
}
double scale_of_one(const Case&, Draw&) { return 1; }
double whole_scale(const Case&, Draw& draw) { return static_cast<double>(1 + draw.below(3)); }

/// What a family draws its tensors and parameters from.
struct Recipe {
  Filler q = each(bell), k = each(bell), v = each(uniform), d_output = each(uniform);
  Number log_gate = trained_gate;
  double (*scale)(const Case&, Draw&) = usual_scale;
};

void set_parameters(Case& c, Draw& draw, const Recipe& recipe) {
  c.parameters["scale"] = recipe.scale(c, draw);
  if (c.op->uses(slot)) c.parameters["position"] = draw.below(4) == 0 ? 1 : 0;
}

auto filled(const Recipe& recipe) {
  return [recipe](Case& c, Draw& draw, const Contract&) {
    set_parameters(c, draw, recipe);
    recipe.q(c.inputs.at("q"), c, draw);
    recipe.k(c.inputs.at("k"), c, draw);
    recipe.v(c.inputs.at("v"), c, draw);
    fill_selection(c, draw);
    fill_gates(c, draw, recipe.log_gate);
    if (!is_backward(*c.op)) return;
    recipe.d_output(c.inputs.at("do"), c, draw);
    fill_stored_forward(c, draw);
  };
}

auto with_specials(const Recipe& recipe) {
  return [fill = filled(recipe)](Case& c, Draw& draw, const Contract& contract) {
    fill(c, draw, contract);
    plant_specials(c, draw);
  };
}

std::vector<Family> dense_families() {
  return {{.name = "bell",
           .statement = "q, k bell-shaped of variance 1, v uniform, scale 1/sqrt(d)",
           .places = {{"logit_deviation", 1}, {"log_gate_range", 4}},
           .fill = filled({})},
          {.name = "sharp",
           .statement = "q, k four times as large: a few keys take most of the weight",
           .places = {{"logit_deviation", 16}},
           .fill = filled({.q = each(sharp), .k = each(sharp)})},
          {.name = "flat",
           .statement = "scores about 2^-10: all weights are alike",
           .places = {{"logit_deviation", 0x1p-10}},
           .fill = filled({.q = each(flat)})},
          {.name = "peaked",
           .statement = "most of q, k about 2^-11, one entry in eight up to 64",
           .fill = filled({.q = each(peaked), .k = each(peaked)})},
          {.name = "huge_exact",
           .statement = "integer scores up to 2^23 without a rounding, equal for pairs of keys",
           .fill = filled({.q = each(byte_integers), .k = same_for_pairs(spaced_integers), .scale = scale_of_one})},
          {.name = "equal_keys",
           .statement = "one key for all tokens of a head",
           .fill = filled({.k = same_for_all_tokens(bell)})},
          {.name = "zero_queries", .statement = "q is 0: every score is", .fill = filled({.q = each(zero)})},
          {.name = "one_hot",
           .statement = "one entry of every q, k and v is not 0",
           .fill = filled({.q = one_hot(bell), .k = one_hot(bell), .v = one_hot(uniform)})},
          {.name = "cancelling",
           .statement = "equal keys in pairs with opposite values: o is far below |v|",
           .fill = filled({.k = same_for_pairs(bell), .v = nearly_cancelling})},
          {.name = "constant_values",
           .statement = "v is one power of two: o must come out near it",
           .fill = filled({.v = one_power_of_two})},
          {.name = "tiny_values", .statement = "v down to 2^-40", .fill = filled({.v = each(tiny)})},
          {.name = "subnormal",
           .statement = "q and v below the normal numbers",
           .fill = filled({.q = each(subnormal), .v = each(subnormal)})},
          {.name = "exact_winner",
           .statement =
               "each key leads the next by 128 or more: o is a value, L a score, of full width, without a rounding",
           .standard = Standard::exact,
           .fill =
               [](Case& c, Draw& draw, const Contract& contract) {
                 sas_exact::fill_winners(c, draw, contract);
                 if (is_backward(*c.op)) sas_exact::fill_gradients_of_winners(c, draw, contract);
               }},
          {.name = "field",
           .statement = "whole scores and gates of either sign, any values, over a prime field",
           .standard = Standard::field,
           .fill = filled({.q = each(few_integers),
                           .k = each(few_integers),
                           .v = each(any_integer),
                           .d_output = each(any_integer),
                           .log_gate = whole_gate,
                           .scale = whole_scale})},
          {.name = "specials",
           .statement = "a few NaN, infinities and largest numbers among bell-shaped ones",
           .standard = Standard::laws,
           .fill = with_specials({})}};
}

/// What gradients take in place of families in which all keys of weight are one, so that dq is what rounding left of o,
/// and in which dS and q are so small that their products are no numbers.
std::vector<Family> families_of_gradients() {
  std::vector<Family> families = dense_families();
  const auto replace = [&](std::string_view name, Family family) {
    *std::ranges::find(families, name, &Family::name) = std::move(family);
  };
  replace("huge_exact", {.name = "huge_exact",
                         .statement = "integer scores up to 2^23 without a rounding, equal for pairs of keys that "
                                      "differ in one feature",
                         .fill = filled({.q = with_first_entry(each(byte_integers), zero),
                                         .k = with_first_entry(same_for_pairs(spaced_integers), spaced_integers),
                                         .scale = scale_of_one})});
  replace("equal_keys", {.name = "two_keys",
                         .statement = "two keys for the tokens of a head, in turn",
                         .fill = filled({.k = two_tokens_in_turn(bell)})});
  replace("subnormal",
          {.name = "subnormal", .statement = "q below the normal numbers", .fill = filled({.q = each(subnormal)})});
  return families;
}

std::vector<Family> with_gates(std::vector<Family> families) {
  const std::vector<Family> gated = {{.name = "deep_gates",
                                      .statement = "log-gates down to -200",
                                      .places = {{"log_gate_range", 200}},
                                      .fill = filled({.log_gate = deep_gate})},
                                     {.name = "closed_gates",
                                      .statement = "half of the log-gates are -inf: their blocks have no weight",
                                      .fill = filled({.log_gate = closed_gate})},
                                     {.name = "open_gates",
                                      .statement = "log-gates are 0: gated is ungated",
                                      .places = {{"log_gate_range", 0}},
                                      .fill = filled({.log_gate = zero})},
                                     {.name = "raw_gates",
                                      .statement = "log-gates of either sign, up to 8: scores as they are",
                                      .places = {{"log_gate_range", 16}},
                                      .fill = filled({.log_gate = raw_gate})},
                                     {.name = "zero_queries_deep_gates",
                                      .statement = "q is 0 and log-gates go down to -200: one weight a block",
                                      .fill = filled({.q = each(zero), .log_gate = deep_gate})}};
  families.insert(families.begin() + 1, gated.begin(), gated.end());
  return families;
}

}  // namespace

std::span<const Family> sas_families(const Operator& op) {
  static const std::vector<Family> dense = dense_families(), gated = with_gates(dense_families()),
                                   dense_gradients = families_of_gradients(),
                                   gated_gradients = with_gates(families_of_gradients());
  if (is_backward(op)) return op.uses(slot) ? gated_gradients : dense_gradients;
  return op.uses(slot) ? gated : dense;
}

}  // namespace assay::operators
