#include "problem/operators/sas_score_gradients_families.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "arith/dd_elementary.hpp"
#include "problem/operators/fillers.hpp"
#include "problem/operators/sas_exact_families.hpp"
#include "problem/operators/sas_values.hpp"
#include "problem/values.hpp"

namespace assay::operators {
namespace {

using enum Axis;

constexpr double infinity = std::numeric_limits<double>::infinity();

using Number = double (*)(Draw&);

double sharp(Draw& draw) { return 4 * bell(draw); }
double deep(Draw& draw) { return draw.below(2) == 0 ? -200 * std::abs(uniform(draw)) : bell(draw); }
double closed(Draw& draw) { return draw.below(2) == 0 ? -infinity : bell(draw); }
double any_integer(Draw& draw) { return static_cast<double>(draw.below(1 << 20)); }

/// log sum of the powers of these scores, -inf of none; to the double's precision, the same on every machine.
double log_sum(const std::vector<double>& scores) {
  double largest = -infinity, sum = 0;
  for (const double s : scores) largest = std::max(largest, s);
  if (largest == -infinity) return largest;
  for (const double s : scores) sum += exp(DoubleDouble(s - largest)).hi;
  return largest + log(DoubleDouble(sum)).hi;
}

/// Log-gates of scores by one draw each, by the case's rule. Those of blocks that are no history are scores as drawn.
void fill_gates_of_scores(Case& c, Draw& draw, const Filler& scores) {
  Tensor& log_gate = c.inputs.at("log_gate");
  scores(log_gate, c, draw);
  const int rule = static_cast<int>(c.parameter("normalisation"));
  if (rule == 2) return;
  for_each_query(c, [&](const QueryRow& query) {
    const std::int64_t first = query.index * c.sizes[block];
    std::vector<double> s(static_cast<std::size_t>(history_of(c, query)));
    log_gate.copy_values(first, s);
    const double total = log_sum(s);
    for (std::int64_t m = 0; m < static_cast<std::int64_t>(s.size()); ++m) {
      const double score = s[static_cast<std::size_t>(m)];
      if (score != -infinity)
        log_gate.set(first + m, shortened(score - (rule == 0 ? total : log_sum({0, score})), Format::f32));
    }
  });
}

/// Zeros at all blocks of a row but up to four, in three rows of four: those that are not selected.
void unselect(Case& c, Draw& draw) {
  Tensor& d_gate = c.inputs.at("d_gate");
  for_each_query(c, [&](const QueryRow& query) {
    const std::int64_t blocks = c.sizes[block], history = history_of(c, query);
    if (draw.below(4) == 0 || history == 0) return;
    std::vector<std::int64_t> kept(1 + draw.below(4));
    for (std::int64_t& m : kept) m = static_cast<std::int64_t>(draw.below(static_cast<std::uint64_t>(history)));
    for (std::int64_t m = 0; m < history; ++m)
      if (std::ranges::find(kept, m) == kept.end()) d_gate.set(query.index * blocks + m, 0);
  });
}

void draw_form(Case& c, Draw& draw) { c.parameters["form"] = draw.below(3) == 0 ? 1 : 0; }

auto filled(Filler scores, Number d_gate = uniform) {
  return [=](Case& c, Draw& draw, const Contract&) {
    draw_normalisation(c, draw);
    draw_form(c, draw);
    fill_gates_of_scores(c, draw, scores);
    each(d_gate)(c.inputs.at("d_gate"), c, draw);
    unselect(c, draw);
  };
}

/// Neighbours are opposite up to 2^-16, so that a row's sum is far below its terms.
void cancel(Case& c, Draw& draw) {
  Tensor& d_gate = c.inputs.at("d_gate");
  fill(d_gate, [&](std::int64_t i) {
    return i % 2 == 0 ? uniform(draw) : -d_gate.value(i - 1) * (1 + uniform(draw) * 0x1p-16);
  });
}

/// Any elements as gates: over a field they are not held to sum to 1.
void fill_over_field(Case& c, Draw& draw, const Contract&) {
  draw_normalisation(c, draw);
  draw_form(c, draw);
  for (const char* name : {"log_gate", "d_gate"}) each(any_integer)(c.inputs.at(name), c, draw);
  unselect(c, draw);
}

}  // namespace

std::span<const Family> sas_score_gradients_families() {
  static const Filler bells = each(bell);
  static const std::vector<Family> families = {
      {.name = "bell",
       .statement = "gates of bell-shaped scores, gradients uniform, in most rows 0 but at up to four blocks",
       .fill = filled(bells)},
      {.name = "sharp",
       .statement = "gates of scores four times as large: a few blocks have most of the weight",
       .fill = filled(each(sharp))},
      {.name = "deep_gates", .statement = "half of the scores down to -200", .fill = filled(each(deep))},
      {.name = "closed_gates", .statement = "half of the log-gates are -inf", .fill = filled(each(closed))},
      {.name = "equal_gates", .statement = "all blocks of a row have one gate", .fill = filled(same_for_blocks(bell))},
      {.name = "cancelling",
       .statement = "gradients of neighbours are opposite up to 2^-16: their sum is far below them",
       .fill =
           [fill = filled(bells)](Case& c, Draw& draw, const Contract& contract) {
             fill(c, draw, contract);
             cancel(c, draw);
           }},
      {.name = "huge", .statement = "gradients of 2^20 to 2^40", .fill = filled(bells, huge)},
      {.name = "tiny", .statement = "gradients of 2^-40 to 2^-20", .fill = filled(bells, tiny)},
      {.name = "subnormal", .statement = "gradients below the normal numbers", .fill = filled(bells, subnormal)},
      {.name = "exact_gates",
       .statement = "gates are 1 or 0, gradients integers that a row sums without a rounding",
       .standard = Standard::exact,
       .fill =
           [](Case& c, Draw& draw, const Contract& contract) {
             draw_form(c, draw);
             sas_exact::fill_open_and_closed_gates(c, draw, contract);
             unselect(c, draw);
           }},
      {.name = "field",
       .statement = "any gates and gradients over a prime field",
       .standard = Standard::field,
       .fill = fill_over_field},
      {.name = "specials",
       .statement = "a few NaN, infinities and largest numbers",
       .standard = Standard::laws,
       .fill = [fill = filled(bells)](Case& c, Draw& draw, const Contract& contract) {
         fill(c, draw, contract);
         for (const char* name : {"log_gate", "d_gate"}) plant_specials(c.inputs.at(name), draw);
       }}};
  return families;
}

}  // namespace assay::operators
