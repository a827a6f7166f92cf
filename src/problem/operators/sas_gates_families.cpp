#include "problem/operators/sas_gates_families.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "problem/operators/fillers.hpp"
#include "problem/operators/sas_exact_families.hpp"
#include "problem/operators/sas_values.hpp"
#include "problem/values.hpp"

namespace assay::operators {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double sharp(Draw& draw) { return 16 * bell(draw); }
double deep(Draw& draw) { return draw.below(2) == 0 ? -200 * std::abs(uniform(draw)) : bell(draw); }
double closed(Draw& draw) { return draw.below(2) == 0 ? -infinity : bell(draw); }
double whole(Draw& draw) { return static_cast<double>(draw.below(63)) - 31; }

/// One offset for all, 2^6 to 2^20 of either sign, on bell-shaped scores that it leaves some bits.
void far_from_zero(Tensor& tensor, const Case&, Draw& draw) {
  const double offset = scaled_dyadic(draw, 6, 20);
  fill(tensor, [&](auto) { return std::round(offset) + bell(draw); });
}

auto filled(Filler scores) {
  return [=](Case& c, Draw& draw, const Contract&) {
    draw_normalisation(c, draw);
    scores(c.inputs.at("scores"), c, draw);
  };
}

}  // namespace

std::span<const Family> sas_gates_families() {
  static const std::vector<Family> families = {
      {.name = "bell", .statement = "scores bell-shaped, of variance 1", .fill = filled(each(bell))},
      {.name = "sharp",
       .statement = "scores 16 times as large: a few blocks have all the weight, sigmoids saturate",
       .fill = filled(each(sharp))},
      {.name = "peaked", .statement = "most scores about 2^-11, one in eight up to 64", .fill = filled(each(peaked))},
      {.name = "deep", .statement = "half of the scores down to -200", .fill = filled(each(deep))},
      {.name = "closed",
       .statement = "half of the scores are -inf, in short histories all of them: no gate",
       .fill = filled(each(closed))},
      {.name = "equal_scores",
       .statement = "all blocks of a row have one score",
       .fill = filled(same_for_blocks(bell))},
      {.name = "far_from_zero",
       .statement =
           "an offset of up to 2^20 on bell-shaped scores: their exp overflows or vanishes, gates are ordinary",
       .fill = filled(far_from_zero)},
      {.name = "huge", .statement = "scores of 2^20 to 2^40, of either sign", .fill = filled(each(huge))},
      {.name = "tiny", .statement = "scores of 2^-40 to 2^-20: gates are alike", .fill = filled(each(tiny))},
      {.name = "subnormal", .statement = "scores below the normal numbers", .fill = filled(each(subnormal))},
      {.name = "exact_winner",
       .statement = "scores are 128 or more apart and from 0, or -inf: no log-gate is rounded",
       .standard = Standard::exact,
       .fill = sas_exact::fill_scores_of_winners},
      {.name = "field",
       .statement = "whole scores of either sign over a prime field",
       .standard = Standard::field,
       .fill = filled(each(whole))},
      {.name = "specials",
       .statement = "a few NaN, infinities and largest numbers among bell-shaped scores",
       .standard = Standard::laws,
       .fill = [fill = filled(each(bell))](Case& c, Draw& draw, const Contract& contract) {
         fill(c, draw, contract);
         plant_specials(c.inputs.at("scores"), draw);
       }}};
  return families;
}

}  // namespace assay::operators
