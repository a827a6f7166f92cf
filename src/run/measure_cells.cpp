#include "run/measure_cells.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "judge/error_level.hpp"
#include "problem/case_mix.hpp"
#include "problem/families.hpp"
#include "run/digest.hpp"
#include "run/isolated.hpp"
#include "run/result.hpp"
#include "run/truth.hpp"

namespace assay {
namespace {

/// Case number `number` of a cell.
struct Place {
  std::size_t cell, number;
};

const Family* find_family(const Operator& op, const std::string& name) {
  const std::span<const Family> families = families_of(op);
  const auto it = std::ranges::find(families, name, &Family::name);
  return it == families.end() ? nullptr : &*it;
}

/// Levels are kept, and so compared, to three decimals: a ratio of 1.0007.
Json levels_json(const Tensors& outputs, const Truth& truth) {
  Json levels = Json::object();
  for (const auto& [output, want] : truth.want) {
    const std::optional<double> level = error_level(outputs.at(output), want, truth.allowed.at(output));
    levels[output] = level ? Json(std::round(*level * 1000) / 1000) : Json(nullptr);
  }
  return levels;
}

/// What the baseline has of a case.
struct Known {
  std::uint64_t digest;
  double slack;  ///< of its cell
  Json levels = Json::object();
};

/// Nothing, where the baseline is yet to be made.
std::optional<Known> known_of(const Cell& cell, std::size_t number) {
  if (cell.digests.empty()) return std::nullopt;
  Known known{.digest = cell.digests[number], .slack = cell.slack};
  for (const auto& [output, levels] : cell.levels)
    known.levels[output] = levels[number] ? Json(*levels[number]) : Json(nullptr);
  return known;
}

/// The verdict of one case, and its levels. Bits that are known passed when they became so.
Evaluation judged(const Case& c, const Kernel& kernel, const Oracle& oracle, const std::optional<Known>& known,
                  Json& levels) {
  Evaluation e{.kernel = kernel.name, .mutant = kernel.mutant, .input = c};
  try {
    const Tensors outputs = kernel.run(c, {}).outputs;
    e.digest = digest(outputs);
    if (known && known->digest == e.digest) {
      levels = known->levels;
      e.judgement.slack.max = known->slack;
      return e;
    }
    const Truth truth = truth_for(c, kernel, oracle);
    e.judgement = judge(outputs, truth.want, truth.allowed);
    levels = levels_json(outputs, truth);
  } catch (const KernelError& error) {
    e.judgement.verdict = Verdict::fail;
    e.judgement.rule = Rule::breaks_machine_rule;
    e.text = error.what();
  }
  return e;
}

Json answer_of(const Evaluation& e, const Json& levels) {
  Json answer = {{"verdict", static_cast<int>(e.judgement.verdict)},
                 {"digest", e.digest},
                 {"inputs", digest(e.input.inputs)},
                 {"slack", e.judgement.slack.max},
                 {"levels", levels},
                 {"vacuous", e.judgement.vacuous},
                 {"degenerate", e.judgement.degenerate}};
  if (e.judgement.verdict != Verdict::pass) answer["result"] = result_json(e);
  if (e.judgement.verdict == Verdict::fail) answer["mismatch"] = mismatch_text(e);
  return answer;
}

Json measure_case(const Cell& cell, std::size_t number, const Kernel& kernel, const Tables& tables) {
  const auto start = std::chrono::steady_clock::now();
  const Case c = make_case(kernel, family_named(*kernel.op, cell.name.family), cell.seeds[number]);
  Json levels = Json::object();
  Json answer = answer_of(judged(c, kernel, oracle_of(tables, *kernel.op), known_of(cell, number), levels), levels);
  answer["seconds"] = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return answer;
}

Json crashed_case(const Cell& cell, std::uint64_t seed, const Kernel& kernel, const std::string& how) {
  Evaluation e{.kernel = kernel.name,
               .mutant = kernel.mutant,
               .input = make_case(kernel, family_named(*kernel.op, cell.name.family), seed),
               .text = how};
  e.judgement.verdict = Verdict::fail;
  e.judgement.rule = Rule::crashed;
  Json answer = answer_of(e, Json::object());
  answer["seconds"] = 0;
  return answer;
}

/// Cases arrive in any order; each has its place.
void take(MeasuredCell& measured, std::size_t number, const Json& answer) {
  const std::size_t cases = measured.cell.seeds.size();
  measured.cell.digests.resize(cases);
  measured.cell.digests[number] = answer["digest"];
  // A sum does not depend on the order of arrival.
  measured.cell.inputs += answer["inputs"].get<std::uint64_t>() * (2 * number + 1);
  measured.cell.slack =
      std::max(measured.cell.slack,
               answer["slack"].is_number() ? answer["slack"].get<double>() : std::numeric_limits<double>::infinity());
  for (const auto& [output, level] : answer["levels"].items()) {
    auto& levels = measured.cell.levels[output];
    levels.resize(cases);
    if (!level.is_null()) levels[number] = level.get<double>();
  }
  ++measured.verdicts[static_cast<Verdict>(answer["verdict"].get<int>())];
  measured.vacuous += answer["vacuous"].get<bool>();
  measured.degenerate += answer["degenerate"].get<bool>();
  measured.seconds += answer["seconds"].get<double>();
  if (answer.contains("result")) measured.results[number] = answer["result"];
  if (answer.contains("mismatch")) measured.mismatches[number] = answer["mismatch"];
}

}  // namespace

std::vector<MeasuredCell> measure_cells(const std::vector<Cell>& cells, const Tables& tables, const FindKernel& find,
                                        const std::function<void(std::size_t, std::size_t)>& progress) {
  std::vector<MeasuredCell> measured;
  std::vector<const Kernel*> kernels;
  std::vector<Place> places;
  for (const Cell& cell : cells) {
    const Kernel* kernel = find(cell.name.kernel);
    const bool missing = kernel == nullptr || find_family(*kernel->op, cell.name.family) == nullptr;
    for (std::size_t i = 0; i < cell.seeds.size() && !missing; ++i) places.push_back({measured.size(), i});
    measured.push_back({.cell = {.name = cell.name, .seeds = cell.seeds}, .missing = missing});
    kernels.push_back(kernel);
  }
  std::size_t done = 0;
  const auto seed_of = [&](const Place& at) { return cells[at.cell].seeds[at.number]; };
  const auto job = [&](std::size_t i) {
    const Place& at = places[i];
    return measure_case(cells[at.cell], at.number, *kernels[at.cell], tables).dump();
  };
  run_isolated(places.size(), {}, job, [&](std::size_t i, const JobAnswer& answer) {
    const Place& at = places[i];
    take(measured[at.cell], at.number,
         answer.crashed ? crashed_case(cells[at.cell], seed_of(at), *kernels[at.cell], answer.text)
                        : Json::parse(answer.text));
    progress(++done, places.size());
    return true;
  });
  return measured;
}

}  // namespace assay
