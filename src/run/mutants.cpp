#include "run/mutants.hpp"

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include <fmt/format.h>

#include "problem/case_mix.hpp"
#include "run/campaign.hpp"
#include "run/evaluate.hpp"
#include "run/glob.hpp"
#include "run/isolated.hpp"

namespace assay {
namespace {

const Kernel& base_of(const Mutant& mutant, const Tables& tables) {
  const auto it = std::ranges::find(tables.kernels, mutant.base, &Kernel::name);
  if (it == tables.kernels.end())
    throw std::logic_error(fmt::format("mutant '{}': no kernel is called '{}'", mutant.name, mutant.base));
  return *it;
}

Evaluation evaluate_deal(const Deal& one, const Kernel& kernel, const Tables& tables) {
  const Oracle& oracle = oracle_of(tables, *kernel.op);
  const Case c = make_case(kernel, *one.family, one.seed);
  return evaluate(c, kernel, oracle, {.schedule = one.seed | 1});
}

/// `outputs` are the kernel's for the case, where they are known.
bool law_fails(const Deal& one, const Kernel& kernel, const Case& c, const Tables& tables,
               const Tensors* outputs = nullptr) {
  Draw draw(one.seed, one.law->name, 0);
  return try_law(*one.law, {kernel, oracle_of(tables, *kernel.op), c, draw, outputs}).kind == Outcome::Kind::fails;
}

/// What of the mutant fails on this case, if the base passes it; empty otherwise.
std::string caught_by(const Deal& one, const Kernel& base, const Tables& tables) {
  const Evaluation e = evaluate_deal(one, *one.kernel, tables);
  if (e.judgement.verdict == Verdict::fail && !e.judgement.vacuous)
    return evaluate_deal(one, base, tables).judgement.verdict == Verdict::pass
               ? fmt::format("{} ({})", name_of(e.judgement.rule), one.family->name)
               : "";
  if (one.law == nullptr || !law_fails(one, *one.kernel, e.input, tables, &e.outputs)) return "";
  return law_fails(one, base, e.input, tables) ? "" : std::string(one.law->name);
}

Json search_one(const Mutant& mutant, const Tables& tables, const MutantSearch& search) {
  const auto start = std::chrono::steady_clock::now();
  Json row = {
      {"name", mutant.name}, {"base", mutant.base}, {"kind", mutant.kind}, {"caught_by", nullptr}, {"cases", 0}};
  if (mutant.stale) row["stale"] = true;
  Campaign campaign{.kernels = {&mutant.kernel}, .family = mutant.family, .cases = search.cases, .seed = search.seed};
  for (const KernelLaw& law : tables.kernel_laws) campaign.kernel_laws.push_back(&law);
  if (!mutant.stale) {
    const Kernel& base = base_of(mutant, tables);
    for (const Deal& one : deal(campaign)) {
      row["cases"] = row["cases"].get<std::uint64_t>() + 1;
      const std::string rule = caught_by(one, base, tables);
      if (rule.empty()) continue;
      row["caught_by"] = rule;
      break;
    }
  }
  row["seconds"] = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  row["sentence"] = mutant.sentence;
  row["reference"] = mutant.reference;
  return row;
}

}  // namespace

bool is_of_paper(const Mutant& mutant, std::string_view paper, const Tables& tables) {
  const auto base = std::ranges::find(tables.kernels, mutant.base, &Kernel::name);
  return base == tables.kernels.end() || matches(paper, base->op->paper);
}

Json search_mutants(const std::vector<const Mutant*>& mutants, const Tables& tables, const MutantSearch& search,
                    const std::function<void(std::size_t, std::size_t)>& progress) {
  std::vector<Json> rows(mutants.size());
  std::size_t done = 0;
  run_isolated(
      mutants.size(), {}, [&](std::size_t i) { return search_one(*mutants[i], tables, search).dump(); },
      [&](std::size_t i, const JobAnswer& answer) {
        const Mutant& m = *mutants[i];
        // A fault that kills the process is seen by everyone.
        rows[i] = answer.crashed ? Json{{"name", m.name},
                                        {"base", m.base},
                                        {"kind", m.kind},
                                        {"caught_by", "crashed: " + answer.text},
                                        {"cases", 1},
                                        {"seconds", 0},
                                        {"sentence", m.sentence},
                                        {"reference", m.reference}}
                                 : Json::parse(answer.text);
        progress(++done, mutants.size());
        return true;
      });
  std::size_t caught = 0, stale = 0;
  for (const Json& row : rows) {
    caught += !row["caught_by"].is_null();
    stale += row.value("stale", false);
  }
  return {{"summary",
           {{"mutants", rows.size()}, {"caught", caught}, {"missed", rows.size() - caught - stale}, {"stale", stale}}},
          {"mutants", rows}};
}

}  // namespace assay
