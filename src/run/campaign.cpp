#include "run/campaign.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "problem/case_mix.hpp"
#include "run/evaluate.hpp"
#include "run/glob.hpp"
#include "run/isolated.hpp"
#include "run/result.hpp"

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

/// What the deal's law says of a case that was evaluated.
Outcome outcome_of(const Deal& one, const Evaluation& e, const Oracle& oracle) {
  const KernelLaw& law = *one.law;
  if (law.is_judgement && law.covers_case(e.input))
    return e.judgement.verdict == Verdict::fail ? Outcome::fails(mismatch_text(e)) : Outcome::holds();
  Draw draw(one.seed, law.name, 0);
  return try_law(law, {*one.kernel, oracle, e.input, draw});
}

/// The outcome of one deal: its result row, and what the law said.
Json try_deal(const Deal& one, const Tables& tables) {
  const Oracle& oracle = oracle_of(tables, *one.kernel->op);
  const Case c = make_case(*one.kernel, *one.family, one.seed);
  const std::int64_t work = work_of(c, one.kernel->contract.algorithm);
  const auto start = std::chrono::steady_clock::now();
  const Evaluation e = evaluate(c, *one.kernel, oracle, scrutiny_of(one, work));
  Json answer = {
      {"result", result_json(e)}, {"executions", e.executions}, {"multiply_adds", e.multiply_adds}, {"work", work}};
  if (e.judgement.verdict == Verdict::fail || e.judgement.verdict == Verdict::suspect)
    answer["mismatch"] = mismatch_text(e);
  // A law runs the kernel several times more: the tenth of the cases that take most work are judged alone.
  if (one.law != nullptr && (one.law->is_judgement || work <= work_bins[1])) {
    const Outcome outcome = outcome_of(one, e, oracle);
    if (outcome.kind == Outcome::Kind::fails) answer["law_text"] = outcome.text;
    answer["law_kind"] = static_cast<int>(outcome.kind);
  }
  answer["seconds"] = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return answer;
}

/// A deal whose process died: a result that says so.
Json crashed_answer(const Deal& one, const std::string& how) {
  Evaluation e{.kernel = one.kernel->name,
               .mutant = one.kernel->mutant,
               .input = make_case(*one.kernel, *one.family, one.seed),
               .text = how};
  e.judgement.verdict = Verdict::fail;
  e.judgement.rule = Rule::crashed;
  return {{"result", result_json(e)},     {"executions", 0},
          {"multiply_adds", 0},           {"work", work_of(e.input, one.kernel->contract.algorithm)},
          {"mismatch", mismatch_text(e)}, {"seconds", 0}};
}

/// One row of laws[] for a kernel law with one kernel, as trials arrive.
struct KernelLawRow {
  const KernelLaw* law;
  std::uint32_t trials = 0;
  double seconds = 0;
  std::string text;
};

/// Collects answers into the record.
class Collector {
 public:
  Collector(const Campaign& campaign, const std::vector<Deal>& deals) : campaign_(campaign), deals_(deals) {}

  /// The mismatch block of the answer, or nothing.
  std::string take(std::size_t i, Json answer) {
    const Deal& one = deals_[i];
    const Json& result = answer["result"];
    ++verdicts_[result["verdict"]];
    vacuous_ += result["vacuous"].get<bool>();
    degenerate_ += result["degenerate"].get<bool>();
    ++by_kernel_[one.kernel->name];
    ++by_family_[std::string(one.family->name)];
    executions_ += answer["executions"].get<std::uint64_t>();
    multiply_adds_ += answer["multiply_adds"].get<std::uint64_t>();
    std::string text = answer.value("mismatch", "");
    if (answer.contains("law_kind")) text += take_law(one, answer);
    keep(one, result);
    return text;
  }

  Json summary(std::size_t laws) const {
    const auto count = [&](const char* verdict) { return verdicts_.contains(verdict) ? verdicts_.at(verdict) : 0; };
    std::uint64_t cases = 0;
    for (const auto& [verdict, n] : verdicts_) cases += n;
    return {{"cases", cases},
            {"laws", laws + law_rows_.size()},
            {"pass", count("pass")},
            {"suspect", count("suspect")},
            {"fail", count("fail")},
            {"indeterminate", count("indeterminate")},
            {"vacuous", vacuous_},
            {"degenerate", degenerate_},
            {"skipped", campaign_.cases - std::min(campaign_.cases, cases)}};
  }

  Json counts() const {
    std::map<std::string, std::uint64_t> by_law;
    for (const auto& [key, row] : law_rows_) by_law[std::string(row.law->name)] += row.trials;
    return {{"kernel", by_kernel_}, {"family", by_family_}, {"law", by_law}};
  }

  Json law_rows() const {
    Json rows = Json::array();
    for (const auto& [name, row] : law_rows_) {
      Json j = {{"name", name},
                {"kind", "kernel"},
                {"verdict", row.text.empty() ? "pass" : "fail"},
                {"proof", "tested"},
                {"trials", row.trials},
                {"false_accept", nullptr},
                {"seconds", row.seconds},
                {"statement", row.law->statement}};
      if (!row.text.empty()) j["text"] = row.text;
      rows.push_back(std::move(j));
    }
    return rows;
  }

  /// Everything that is not pass, and the worst pass of each kernel x family; all of it with --all-results.
  Json results() const {
    Json rows = Json::array();
    for (const auto& [index, row] : kept_) rows.push_back(row);
    for (const auto& [cell, row] : worst_pass_) rows.push_back(row);
    return rows;
  }

  Json cost() const { return {{"executions", executions_}, {"multiply_adds", multiply_adds_}}; }

 private:
  std::string take_law(const Deal& one, const Json& answer) {
    KernelLawRow& row = law_rows_[std::string(one.law->name) + "/" + one.kernel->name];
    row.law = one.law;
    row.seconds += answer["seconds"].get<double>();
    if (answer["law_kind"] != static_cast<int>(Outcome::Kind::rejected)) ++row.trials;
    if (!answer.contains("law_text")) return "";
    if (row.text.empty()) row.text = answer["law_text"];
    if (one.law->is_judgement) return "";  // the case has said it already
    return fmt::format("fail: {}/{}\n{}\n", one.law->name, one.kernel->name, answer["law_text"].get<std::string>());
  }

  void keep(const Deal& one, const Json& result) {
    if (campaign_.all_results || result["verdict"] != "pass") {
      kept_.emplace(kept_.size(), result);
      return;
    }
    Json& worst = worst_pass_[one.kernel->name + "|" + std::string(one.family->name)];
    const auto slack = [](const Json& r) {
      return r["slack"]["max"].is_number() ? r["slack"]["max"].get<double>() : 0;
    };
    if (worst.is_null() || slack(result) > slack(worst)) worst = result;
  }

  const Campaign& campaign_;
  const std::vector<Deal>& deals_;
  std::map<std::string, std::uint64_t> verdicts_, by_kernel_, by_family_;
  std::map<std::string, KernelLawRow> law_rows_;
  std::map<std::size_t, Json> kept_;
  std::map<std::string, Json> worst_pass_;
  std::uint64_t vacuous_ = 0, degenerate_ = 0, executions_ = 0, multiply_adds_ = 0;
};

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
  const std::size_t total = campaign.laws.size() + deals.size();
  std::vector<Json> law_rows(campaign.laws.size());
  Collector collector(campaign, deals);
  std::size_t done = 0;
  const auto job = [&](std::size_t i) {
    if (i >= campaign.laws.size()) return try_deal(deals[i - campaign.laws.size()], tables).dump();
    const Law& law = *campaign.laws[i];
    return law_json(law, tables.try_law(law, campaign.seed), campaign.seed).dump();
  };
  run_isolated(total, {.processes = campaign.processes}, job, [&](std::size_t i, const JobAnswer& answer) {
    std::string mismatch;
    if (i < campaign.laws.size()) {
      const Law& law = *campaign.laws[i];
      law_rows[i] =
          answer.crashed
              ? law_json(law, {.verdict = LawResult::Verdict::fail, .text = "crashed: " + answer.text}, campaign.seed)
              : Json::parse(answer.text);
      if (law_rows[i]["verdict"] == "fail")
        mismatch = fmt::format("fail: {}\n{}\n", law.name, law_rows[i]["text"].get<std::string>());
    } else {
      const std::size_t d = i - campaign.laws.size();
      mismatch = collector.take(d, answer.crashed ? crashed_answer(deals[d], answer.text) : Json::parse(answer.text));
    }
    progress(++done, total, mismatch);
    return true;
  });
  Json laws = Json::array();
  for (Json& row : law_rows) laws.push_back(std::move(row));
  for (Json& row : collector.law_rows()) laws.push_back(row);
  return {{"summary", collector.summary(campaign.laws.size())},
          {"counts", collector.counts()},
          {"laws", laws},
          {"results", collector.results()},
          {"cost", collector.cost()}};
}

}  // namespace assay
