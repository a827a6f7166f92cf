#include "run/campaign.hpp"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "kernels/table.hpp"
#include "oracle/table.hpp"
#include "properties/enumerated.hpp"
#include "properties/run/laws.hpp"
#include "properties/same.hpp"

namespace assay {
namespace {

Outcome holding(const KernelTrial&) { return Outcome::holds(); }

/// Laws that hold: enough to count what is dealt.
std::vector<KernelLaw> idle_laws(std::size_t count) {
  constexpr std::array names = {"kernel.a", "kernel.b", "kernel.c", "kernel.d", "kernel.e", "kernel.f"};
  std::vector<KernelLaw> laws;
  for (std::size_t i = 0; i < count; ++i) laws.push_back({.name = names[i], .statement = "nothing", .check = holding});
  return laws;
}

Campaign campaign_of(const std::vector<KernelLaw>& laws, std::uint64_t cases) {
  Campaign campaign{.cases = cases, .seed = 7, .all_results = true, .processes = 1};
  for (const Kernel& kernel : kernel_table()) campaign.kernels.push_back(&kernel);
  for (const KernelLaw& law : laws) campaign.kernel_laws.push_back(&law);
  return campaign;
}

/// Every kernel, family and law is met once before any is met twice, and each family and law as early as can be.
Outcome are_dealt(const Kernel& kernel, std::size_t law_count) {
  const std::vector<KernelLaw> laws = idle_laws(law_count);
  Campaign campaign = campaign_of(laws, 0);
  campaign.kernels = {&kernel};
  const std::size_t families = families_for(*campaign.kernels.front()).size();
  campaign.cases = families * laws.size();
  std::set<std::pair<const Family*, const KernelLaw*>> cells;
  std::set<const Family*> early_families;
  std::set<const KernelLaw*> early_laws;
  std::set<std::uint64_t> seeds;
  std::size_t i = 0;
  for (const Deal& one : deal(campaign)) {
    cells.insert({one.family, one.law});
    seeds.insert(one.seed);
    if (i < families) early_families.insert(one.family);
    if (i++ < laws.size()) early_laws.insert(one.law);
  }
  return all_of({same("cells", cells.size(), families * laws.size()), same("families", early_families.size(), families),
                 same("laws", early_laws.size(), laws.size()), same("seeds", seeds.size(), families * laws.size())});
}

/// Also where the numbers of families and laws have a common factor.
Outcome all_are_dealt() {
  FirstFailure found;
  for (const Kernel& kernel : kernel_table())
    for (std::size_t laws = 1; laws <= 6; ++laws) found.note(are_dealt(kernel, laws));
  return found.outcome();
}

Tables tables() { return {.kernels = kernel_table(), .oracles = oracle_table()}; }

Json results_of(const Campaign& campaign) {
  return run_campaign(campaign, tables(), [](std::size_t, std::size_t, const std::string&) {})["results"];
}

/// Each result's kernel, family and seed give the same result again, alone.
Outcome seeds_replay() {
  const std::vector<KernelLaw> none;
  FirstFailure found;
  for (const Json& row : results_of(campaign_of(none, 16))) {
    Campaign again = campaign_of(none, 1);
    std::erase_if(again.kernels, [&](const Kernel* kernel) { return kernel->name != row["kernel"]; });
    again.family = row["family"];
    again.seed = row["seed"];
    const Json replayed = results_of(again);
    found.note(holds_if(replayed.size() == 1 && replayed.front() == row,
                        fmt::format("{}\nreplays as\n{}", row.dump(), replayed.dump())));
  }
  return found.outcome();
}

}  // namespace

std::vector<Law> run_campaign_laws() {
  return {enumerated("run.every_family_and_law_is_dealt", "each pair once before any twice, along diagonals", "",
                     "deals", all_are_dealt),
          enumerated("run.a_seed_replays_its_case", "one case with a result's kernel, family and seed is that result",
                     "", "records", seeds_replay)};
}

}  // namespace assay
