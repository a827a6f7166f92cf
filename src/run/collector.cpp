#include "run/collector.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace assay {
namespace {

Json law_row_json(const std::string& name, const KernelLaw& law, std::uint32_t trials, double seconds,
                  const std::string& text) {
  Json row = {{"name", name},       {"kind", "kernel"},          {"verdict", text.empty() ? "pass" : "fail"},
              {"proof", "tested"},  {"trials", trials},          {"false_accept", nullptr},
              {"seconds", seconds}, {"statement", law.statement}};
  if (!text.empty()) row["text"] = text;
  return row;
}

double slack_of(const Json& result) {
  const Json& slack = result["slack"]["max"];
  return slack.is_number() ? slack.get<double>() : 0;
}

}  // namespace

std::string Collector::take(const Kernel& kernel, const std::string& family, const KernelLaw* law, const Json& answer) {
  const Json& result = answer["result"];
  ++verdicts_[result["verdict"]];
  vacuous_ += result["vacuous"].get<bool>();
  degenerate_ += result["degenerate"].get<bool>();
  shares_.take(kernel, family, result);
  roundings_.take(result);
  ++by_kernel_[kernel.name];
  ++by_family_[family];
  executions_ += answer["executions"].get<std::uint64_t>();
  multiply_adds_ += answer["multiply_adds"].get<std::uint64_t>();
  keep(kernel.name + "|" + family, result);
  std::string text = answer.value("mismatch", "");
  if (law != nullptr && answer.contains("law_kind")) text += take_law(kernel, *law, answer);
  return text;
}

std::string Collector::take_law(const Kernel& kernel, const KernelLaw& law, const Json& answer) {
  LawRow& row = law_rows_[fmt::format("{}/{}", law.name, kernel.name)];
  row.law = &law;
  row.seconds += answer["seconds"].get<double>();
  if (answer["law_kind"] != static_cast<int>(Outcome::Kind::rejected)) ++row.trials;
  if (!answer.contains("law_text")) return "";
  if (row.text.empty()) row.text = answer["law_text"];
  if (law.is_judgement) return "";  // the case has said it already
  return fmt::format("fail: {}/{}\n{}\n", law.name, kernel.name, answer["law_text"].get<std::string>());
}

void Collector::keep(const std::string& cell, const Json& result) {
  if (all_results_ || result["verdict"] != "pass") {
    kept_.push_back(result);
    return;
  }
  Json& worst = worst_pass_[cell];
  if (worst.is_null() || slack_of(result) > slack_of(worst)) worst = result;
}

Json Collector::summary(std::size_t laws, std::uint64_t dealt) const {
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
          {"skipped", dealt - std::min(dealt, cases)}};
}

Json Collector::counts() const {
  std::map<std::string, std::uint64_t> by_law;
  for (const auto& [key, row] : law_rows_) by_law[std::string(row.law->name)] += row.trials;
  return {{"kernel", by_kernel_}, {"family", by_family_}, {"law", by_law}};
}

Json Collector::results() const {
  Json rows = kept_;
  for (const auto& [cell, row] : worst_pass_) rows.push_back(row);
  return rows;
}

Json Collector::body(const std::vector<Json>& laws, std::uint64_t dealt) const {
  Json rows = laws;
  for (const auto& [name, row] : law_rows_)
    rows.push_back(law_row_json(name, *row.law, row.trials, row.seconds, row.text));
  return {{"summary", summary(laws.size(), dealt)},
          {"counts", counts()},
          {"laws", rows},
          {"results", results()},
          {"shares", shares_.rows()},
          {"roundings", roundings_.rows()},
          {"detectable_fault", shares_.detectable_fault()},
          {"cost", {{"executions", executions_}, {"multiply_adds", multiply_adds_}}}};
}

}  // namespace assay
