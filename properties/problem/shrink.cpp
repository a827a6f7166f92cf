#include "problem/shrink.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "problem/case_mix.hpp"
#include "problem/operators/sanatan.hpp"
#include "problem/transforms.hpp"
#include "properties/asking_kernel.hpp"
#include "properties/identity.hpp"
#include "properties/problem/laws.hpp"
#include "properties/same.hpp"

namespace assay {
namespace {

Case draw_case(Draw& draw) {
  const Kernel kernel = asking_kernel(operators::sanatan_attention(), Format::f32);
  const Family& family = family_named(*kernel.op, "bell");
  std::uint64_t seed = draw.bits() >> 12;
  while (work_bin_of(make_sizes(kernel, family, seed), Algorithm::scan) > 0) ++seed;
  return make_case(kernel, family, seed);
}

std::int64_t longest(const Case& c) {
  std::int64_t T = 0;
  for (const Stretch& s : whole(c)) T = std::max(T, s.length());
  return T;
}

std::int64_t filled(const Tensor& tensor) {
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < tensor.count(); ++i) count += tensor.value(i) != 0;
  return count;
}

/// A fault that needs this much of a case.
struct Fault {
  std::int64_t tokens, heads, features;
  bool state;

  bool operator()(const Case& c) const {
    return longest(c) >= tokens && c.sizes[Axis::head] >= heads && c.sizes[Axis::feature] >= features &&
           (!state || c.has("S0")) && filled(c.inputs.at("v")) > 0;
  }
};

/// Every case on the way fails, and the last has what the fault needs and no more.
Outcome minimal(Draw& draw) {
  const Case c = draw_case(draw);
  const Fault fault{static_cast<std::int64_t>(draw.below(4)), 1 + static_cast<std::int64_t>(draw.below(2)),
                    1 + static_cast<std::int64_t>(draw.below(3)), draw.below(2) == 0};
  if (!fault(c)) return Outcome::rejected("the case has not what the fault needs");
  int accepted = 0;
  const Case least = shrunk(c,
                            [&](const Case& candidate) {
                              accepted += fault(candidate);
                              return fault(candidate);
                            },
                            {.runs = 5000, .first_runs = 5000});
  const std::int64_t one = std::max<std::int64_t>(fault.tokens, 1);
  return all_of({holds_if(fault(least), "the shrunk case does not fail"), same("T", longest(least), one),
                 same("N", least.sequences(), std::int64_t{1}), same("H", least.sizes[Axis::head], fault.heads),
                 same("d", least.sizes[Axis::feature], fault.features),
                 same("dv", least.sizes[Axis::value], std::int64_t{1}), same("state", least.has("S0"), fault.state),
                 same("packed", least.has("cu_seqlens"), false),
                 same("filled v", filled(least.inputs.at("v")), std::int64_t{1}),
                 same("filled q", filled(least.inputs.at("q")), std::int64_t{0})});
}

/// Simplifications of a case that has nothing to lose are cases of its operator, and there is an end to them.
Outcome ends(Draw& draw) {
  const Case c = draw_case(draw);
  const Case least = shrunk(c, [](const Case&) { return true; }, {.runs = 5000, .first_runs = 5000});
  FirstFailure found;
  found.note(same("T", longest(least), std::int64_t{0}));
  for (const Simplify& simplify : simplifications(*c.op))
    found.note(same("ways left", simplify(least).size(), std::size_t{0}));
  return found.outcome();
}

/// As many runs as the budget has, and no more; of cases as large as the first no more than it has for those.
Outcome within_budget(Draw& draw) {
  const Case c = draw_case(draw);
  if (work_of(c, Algorithm::scan) == 0) return Outcome::rejected("nothing to make simpler");
  const ShrinkBudget budget{.runs = 1 + draw.below(40), .first_runs = 0.5 + static_cast<double>(draw.below(8))};
  std::uint64_t runs = 0;
  double work = 0;
  shrunk(
      c,
      [&](const Case& candidate) {
        ++runs;
        work += static_cast<double>(work_of(candidate, Algorithm::scan));
        return draw.below(3) == 0;
      },
      budget);
  return all_of(
      {holds_if(runs <= budget.runs, fmt::format("{} runs of {}", runs, budget.runs)),
       holds_if(work <= budget.first_runs * (1 + static_cast<double>(work_of(c, Algorithm::scan))), "more work")});
}

/// A fault that every family shows is shown by the plainest; one that needs its family keeps it.
Outcome plainest(Draw& draw) {
  const Operator& op = operators::sanatan_attention();
  const Kernel kernel = asking_kernel(op, Format::f32);
  const Family& family = family_named(op, "peaked");
  std::uint64_t seed = draw.bits() >> 12;
  while (work_bin_of(make_sizes(kernel, family, seed), Algorithm::scan) > 0) ++seed;
  const bool needed = draw.below(2) == 0;
  const Case c = make_case(kernel, family, seed);
  if (longest(c) < 2) return Outcome::rejected("the case has not what the fault needs");
  const Case least = shrunk(c, [&](const Case& c) { return longest(c) >= 2 && (!needed || c.family == "peaked"); });
  return same("family", least.family, std::string(needed ? "peaked" : families_of(op).front().name));
}

Law on_cases(std::string_view name, std::string_view statement, Outcome (*run)(Draw&)) {
  return {name, statement, "", Proof::tested, 0, 20, {{"cases", 0, [run](Draw& draw) {
                                                         return try_once([&] { return run(draw); });
                                                       }}}};
}

}  // namespace

std::vector<Law> problem_shrink_laws() {
  return {on_cases("problem.shrinking_keeps_failing", "down to what the fault needs, and no further", minimal),
          on_cases("problem.shrinking_ends", "where everything fails nothing is left", ends),
          on_cases("problem.shrinking_stays_within_its_budget", "in runs, and in the work of the first", within_budget),
          on_cases("problem.shrinking_finds_the_plainest_family", "unless the fault needs its own", plainest)};
}

}  // namespace assay
