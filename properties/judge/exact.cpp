#include "judge/exact.hpp"

#include <cmath>

#include "arith/rounding.hpp"
#include "problem/values.hpp"
#include "properties/identity.hpp"
#include "properties/judge/laws.hpp"
#include "properties/judge/one_element.hpp"
#include "properties/same.hpp"

namespace assay {
namespace {

/// The judgement of `got` beside a computed truth off by `off`, of this radius, on an exact input.
Judgement exactly(double got, double truth, double off, double radius) {
  Outputs x = outputs_of({got}, {truth}, 1);
  x.want.at("o").lo = {off};
  x.want.at("o").radius = {radius};
  demand_exactness(x.got, x.want, x.allowed);
  return judge(x.got, x.want, x.allowed);
}

Outcome nearest(Draw& draw) {
  const double truth = round_to(float32_format, scaled_dyadic(draw, -100, 100));
  const double spacing = ulp(float32_format, truth);
  const double off = spacing * 0x1p-30 * uniform_dyadic(draw, 20), radius = spacing * 0x1p-30;
  const Judgement same_bits = exactly(truth, truth, off, radius);
  const Judgement other = exactly(truth + (draw.below(2) == 0 ? spacing : -spacing), truth, off, radius);
  const Judgement unsure = exactly(truth, truth, off, spacing / 2);
  return all_of({holds_if(same_bits.verdict == Verdict::pass, "the truth itself does not pass"),
                 holds_if(other.verdict == Verdict::fail && other.rule == Rule::differs_on_exact_input,
                          "its neighbour does not fail"),
                 holds_if(unsure.verdict == Verdict::indeterminate, "half a spacing of doubt is no doubt")});
}

}  // namespace

std::vector<Law> judge_exact_laws() {
  return {{"judge.exact_inputs_admit_one_value",
           "a radius below half a spacing leaves one value of the format, and only its bits pass",
           "",
           Proof::tested,
           0,
           200,
           {{"f32", 0, [](Draw& draw) { return try_once([&] { return nearest(draw); }); }}}}};
}

}  // namespace assay
