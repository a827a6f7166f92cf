#include "run/campaign.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "problem/case_mix.hpp"
#include "run/collector.hpp"
#include "run/glob.hpp"
#include "run/isolated.hpp"
#include "run/result.hpp"
#include "run/trial.hpp"

namespace assay {
namespace {

/// One case in four meets a random schedule, one in fifty the shadow checker; of those in the first bin of work one in
/// four is compared with the plain implementation, whose 8 runs cost more than everything else.
Scrutiny scrutiny_of(const Deal& one, std::int64_t work) {
  Draw draw(one.seed, "scrutiny", 0);
  Scrutiny scrutiny;
  if (draw.below(4) == 0) scrutiny.schedule = 1 + draw.below(1u << 30);
  scrutiny.checked = draw.below(50) == 0;
  scrutiny.compared = draw.below(4) == 0 && work <= work_bins.front();
  return scrutiny;
}

std::uint64_t case_seed(const Campaign& campaign, std::uint64_t i) {
  if (campaign.cases == 1) return campaign.seed;
  return Draw(campaign.seed, "case", i).bits() >> 11;  // 53 bits: exact as a JSON number everywhere
}

/// What a contract states does not depend on the case.
void keep_first_of_contract_laws(std::vector<Deal>& cells) {
  std::set<const KernelLaw*> met;
  std::erase_if(cells, [&](const Deal& one) {
    return one.law != nullptr && one.law->of_contract && !met.insert(one.law).second;
  });
}

/// Every (family, law) of one kernel, along diagonals: each family and each law is met as early as can be.
std::vector<Deal> cells_of(const Kernel& kernel, const Campaign& campaign) {
  std::vector<const KernelLaw*> laws;
  for (const KernelLaw* law : campaign.kernel_laws)
    if (law->covers(kernel)) laws.push_back(law);
  if (laws.empty()) laws.push_back(nullptr);
  std::vector<const Family*> families = families_for(kernel);
  std::erase_if(families, [&](const Family* family) { return !matches(campaign.family, family->name); });
  if (families.empty()) return {};
  const std::size_t diagonal = std::lcm(families.size(), laws.size());
  std::vector<Deal> cells;
  for (std::size_t i = 0; i < families.size() * laws.size(); ++i)
    cells.push_back({&kernel, families[i % families.size()], laws[(i + i / diagonal) % laws.size()], 0});
  keep_first_of_contract_laws(cells);
  return cells;
}

/// The outcome of one deal. A law runs the kernel several times more: the tenth of the cases that take most work are
/// judged alone.
Json try_deal(const Deal& one, const Tables& tables, const std::filesystem::path& counterexamples) {
  const Case c = make_case(*one.kernel, *one.family, one.seed);
  const std::int64_t work = work_of(c, one.kernel->contract.algorithm);
  const bool tried = one.law != nullptr && (one.law->is_judgement || work <= work_bins[1]);
  return try_case({*one.kernel, c, tried ? one.law : nullptr, scrutiny_of(one, work)},
                  oracle_of(tables, *one.kernel->op), counterexamples);
}

Json crashed_deal(const Deal& one, const std::string& how, const std::filesystem::path& counterexamples) {
  const Case c = make_case(*one.kernel, *one.family, one.seed);
  return crashed_answer({*one.kernel, c, one.law}, how, counterexamples);
}

}  // namespace

std::vector<Deal> deal(const Campaign& campaign) {
  std::vector<std::vector<Deal>> cells;
  for (const Kernel* kernel : campaign.kernels) {
    cells.push_back(cells_of(*kernel, campaign));
    if (cells.back().empty()) cells.pop_back();
  }
  std::vector<Deal> deals;
  if (cells.empty()) return deals;
  for (std::uint64_t i = 0; i < campaign.cases; ++i) {
    const std::vector<Deal>& of_kernel = cells[i % cells.size()];
    deals.push_back(of_kernel[i / cells.size() % of_kernel.size()]);
    deals.back().seed = case_seed(campaign, i);
  }
  return deals;
}

Json run_campaign(const Campaign& campaign, const Tables& tables, const Progress& progress) {
  const std::vector<Deal> deals = deal(campaign);
  const std::size_t laws = campaign.laws.size();
  std::vector<Json> law_rows(laws);
  Collector collector(campaign.all_results);
  std::size_t done = 0;
  const auto job = [&](std::size_t i) {
    if (i >= laws) return try_deal(deals[i - laws], tables, campaign.counterexamples).dump();
    const Law& law = *campaign.laws[i];
    return law_json(law, tables.try_law(law, campaign.seed), campaign.seed).dump();
  };
  const auto take_law = [&](std::size_t i, const JobAnswer& answer) -> std::string {
    const Law& law = *campaign.laws[i];
    const LawResult crashed{.verdict = LawResult::Verdict::fail, .text = "crashed: " + answer.text};
    law_rows[i] = answer.crashed ? law_json(law, crashed, campaign.seed) : Json::parse(answer.text);
    if (law_rows[i]["verdict"] != "fail") return "";
    return fmt::format("fail: {}\n{}\n", law.name, law_rows[i]["text"].get<std::string>());
  };
  const auto take_deal = [&](const Deal& one, const JobAnswer& answer) {
    return collector.take(
        *one.kernel, std::string(one.family->name), one.law,
        answer.crashed ? crashed_deal(one, answer.text, campaign.counterexamples) : Json::parse(answer.text));
  };
  run_isolated(laws + deals.size(), {.processes = campaign.processes}, job,
               [&](std::size_t i, const JobAnswer& answer) {
                 const std::string told = i < laws ? take_law(i, answer) : take_deal(deals[i - laws], answer);
                 progress(++done, laws + deals.size(), told);
                 return true;
               });
  return collector.body(law_rows, campaign.cases);
}

}  // namespace assay
