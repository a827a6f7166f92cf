#include "problem/operators/sas_select_families.hpp"

#include <cmath>
#include <vector>

#include "problem/operators/fillers.hpp"
#include "problem/values.hpp"

namespace assay::operators {
namespace {

using enum Axis;

double few_integers(Draw& draw) { return static_cast<double>(draw.below(5)) - 2; }
double any_integers(Draw& draw) { return static_cast<double>(draw.below(255)) - 127; }

/// 1 and its neighbours in float32: scores that differ in their last bits.
double near_one(Draw& draw) { return 1 + std::ldexp(static_cast<double>(draw.below(5)) - 2, -23); }

double usual_scale(const Case& c, Draw&) {
  return static_cast<double>(static_cast<float>(1 / std::sqrt(static_cast<double>(c.sizes[feature]))));
}
double power_scale(const Case&, Draw& draw) { return power_of_two(static_cast<int>(draw.below(5)) - 4); }
double whole_scale(const Case&, Draw& draw) { return static_cast<double>(1 + draw.below(3)); }

auto filled(Filler q, Filler k, double (*scale)(const Case&, Draw&) = usual_scale) {
  return [=](Case& c, Draw& draw, const Contract&) {
    c.parameters["scale"] = scale(c, draw);
    q(c.inputs.at("q"), c, draw);
    k(c.inputs.at("block_key"), c, draw);
  };
}

}  // namespace

std::span<const Family> sas_select_families() {
  static const Filler bells = each(bell), integers = each(few_integers);
  static const std::vector<Family> families = {
      {.name = "bell", .statement = "q and keys bell-shaped, scale 1/sqrt(d)", .fill = filled(bells, bells)},
      {.name = "peaked",
       .statement = "most of q and keys about 2^-11, one entry in eight up to 64",
       .fill = filled(each(peaked), each(peaked))},
      {.name = "equal_keys",
       .statement = "one key for all blocks of a head: every score ties",
       .fill = filled(bells, same_for_all_tokens(bell))},
      {.name = "near_ties",
       .statement = "scores that differ in their last bits",
       .fill = filled(bells, each(near_one))},
      {.name = "zero_queries", .statement = "every score is 0", .fill = filled(each(zero), bells)},
      {.name = "one_hot",
       .statement = "one entry of every q and key is not 0: many scores are 0",
       .fill = filled(one_hot(bell), one_hot(bell))},
      {.name = "exact_ties",
       .statement = "small integers and a power of two as scale: scores tie, and none is rounded",
       .standard = Standard::exact,
       .fill = filled(integers, integers, power_scale)},
      {.name = "field",
       .statement = "whole scores of either sign over a prime field",
       .standard = Standard::field,
       .fill = filled(each(any_integers), each(any_integers), whole_scale)},
      {.name = "specials",
       .statement = "a few NaN, infinities and largest numbers among bell-shaped ones",
       .standard = Standard::laws,
       .fill = [fill = filled(bells, bells)](Case& c, Draw& draw, const Contract& contract) {
         fill(c, draw, contract);
         plant_specials(c, draw);
       }}};
  return families;
}

}  // namespace assay::operators
