#include <fmt/format.h>

#include "kernels/table.hpp"
#include "oracle/sanatan/exactness.hpp"
#include "problem/case_mix.hpp"
#include "problem/operators/sanatan.hpp"
#include "properties/identity.hpp"
#include "properties/same.hpp"
#include "properties/sanatan/laws.hpp"

namespace assay {
namespace {

/// A small case of the family for a kernel that the trial picks.
struct Pick {
  const Kernel* kernel;
  Case c;
};

Pick draw_pick(Draw& draw, std::string_view family_name) {
  std::vector<const Kernel*> kernels;
  for (const Kernel& kernel : kernel_table())
    if (kernel.op == &operators::sanatan_feature_attention()) kernels.push_back(&kernel);
  const Kernel& kernel = *kernels[draw.below(kernels.size())];
  const Family& family = family_named(*kernel.op, family_name);
  std::uint64_t seed = draw.bits() >> 12;
  while (work_of(make_sizes(kernel, family, seed), kernel.contract.algorithm) > 50'000) ++seed;
  return {&kernel, make_case(kernel, family, seed)};
}

std::string where(const Pick& pick) {
  return fmt::format("{}, {}, {}, p = {}, seed {}", pick.kernel->name, pick.c.family, sizes_text(pick.c),
                     pick.c.parameter("p"), pick.c.seed);
}

Outcome is_exact(Draw& draw) {
  const Pick pick = draw_pick(draw, draw.below(2) == 0 ? "exact_small" : "exact_full");
  const std::string found = sanatan::rounding_of(pick.c, pick.kernel->contract);
  return holds_if(found.empty(), fmt::format("{}: {}", where(pick), found));
}

/// Of 32 cases with enough tokens at least 20 need the last bit but one of the state, or of the output.
Outcome needs_its_width(Draw& draw) {
  int needed = 0;
  for (int cases = 0; cases < 32;) {
    const Pick pick = draw_pick(draw, "exact_full");
    if (pick.c.sizes[Axis::time] < 8) continue;  // a decode step among them
    ++cases;
    needed += !sanatan::rounding_of(pick.c, pick.kernel->contract, 2).empty();
  }
  return holds_if(needed >= 20, fmt::format("{} of 32 cases need more than two bits less", needed));
}

Law on_cases(std::string_view name, std::string_view statement, std::uint32_t trials, Outcome (*run)(Draw&)) {
  return {name, statement, "", Proof::tested, 0, trials, {{"double with an inexact flag", 0, [run](Draw& draw) {
                                                             return try_once([&] { return run(draw); });
                                                           }}}};
}

}  // namespace

std::vector<Law> sanatan_exact_families_laws() {
  return {on_cases("problem.exact_families_are_exact",
                   "every sum has terms that any order adds exactly, every rounding point a value of its format", 100,
                   is_exact),
          on_cases("problem.exact_full_needs_its_width", "with two bits less in state and output it is not exact", 4,
                   needs_its_width)};
}

}  // namespace assay
