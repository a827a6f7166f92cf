#include "run/judge_folders.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "problem/case_mix.hpp"
#include "problem/exchange.hpp"
#include "run/collector.hpp"
#include "run/isolated.hpp"
#include "run/trial.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

/// A case, and a kernel that returns what its folder holds.
struct Stored {
  fs::path folder;
  Case c;
  Kernel kernel;
};

fs::path file_of(const fs::path& folder, std::string_view output) {
  return folder / "out" / (std::string(output) + ".npy");
}

/// Whether any optional final state is there: then all are due.
bool has_final_state(const fs::path& folder, const Operator& op) {
  return std::ranges::any_of(op.tensors, [&](const TensorSpec& spec) {
    return spec.role == Role::final_state && fs::exists(file_of(folder, spec.name));
  });
}

/// A misspelt output would go unjudged.
void require_known_files(const fs::path& folder, const Operator& op) {
  for (const fs::directory_entry& entry : fs::directory_iterator(folder / "out")) {
    const TensorSpec* spec = op.find(entry.path().stem().string());
    if (entry.path().extension() != ".npy" || (spec != nullptr && is_result(spec->role))) continue;
    throw ExchangeError(fmt::format("{}: {} has no such output", entry.path().string(), op.name));
  }
}

Tensors read_outputs(const fs::path& folder, const Case& c, const Kernel& kernel) {
  if (!fs::is_directory(folder / "out"))
    throw ExchangeError(fmt::format("{}: no such folder", (folder / "out").string()));
  require_known_files(folder, *c.op);
  Tensors outputs;
  for (const TensorSpec& spec : c.op->tensors)
    if (kernel.limits.returns(spec))
      outputs.emplace(spec.name, read_npy(file_of(folder, spec.name), c.format_of(spec, kernel.contract.output),
                                          spec.shape(c.sizes)));
  return outputs;
}

Stored read_stored(const FoldersToJudge& job, const fs::path& folder) {
  Stored stored{.folder = folder, .c = read_case(folder).c};
  Case& c = stored.c;
  Contract contract = contract_for(job.contract, c);
  contract.ill_conditioned.merge(job.ill_conditioned(*c.op, contract));
  if (c.standard != Standard::bound && c.standard != Standard::exact)
    throw RecordError(fmt::format("{}: family {}: no values are due", folder.string(), c.family));
  if (c.element != contract.input)
    throw RecordError(fmt::format("{}: inputs of {}: the contract {} takes {}", folder.string(), name_of(c.element),
                                  job.contract.name, name_of(contract.input)));
  if (contract.algorithm == Algorithm::chunk && c.parameters.contains("C"))
    c.parameters["C"] = static_cast<double>(contract.chunk);
  stored.kernel = {.name = fmt::format("{}/stored.{}.{}", c.op->name, name_of(contract.algorithm), job.contract.name),
                   .op = c.op,
                   .contract = contract,
                   .limits = {.final_state = has_final_state(folder, *c.op)}};
  return stored;
}

bool lacks_final_states(const Stored& stored) {
  return !stored.kernel.limits.final_state &&
         std::ranges::find(stored.c.op->tensors, Role::final_state, &TensorSpec::role) != stored.c.op->tensors.end();
}

Trial trial_of(const FoldersToJudge& job, Stored& stored) {
  const bool compared = work_of(stored.c, stored.kernel.contract.algorithm) <= work_bins.front();
  stored.kernel.run = [&stored](const Case& c, const Execution&) {
    return Run{read_outputs(stored.folder, c, stored.kernel)};
  };
  return {stored.kernel,
          stored.c,
          nullptr,
          {.compared = compared, .tolerances = true, .one_run = true},
          job.command(stored.folder)};
}

Json answer_for(const FoldersToJudge& job, std::size_t i, const Tables& tables) {
  Stored stored = read_stored(job, job.folders[i]);
  return try_case(trial_of(job, stored), oracle_of(tables, *stored.c.op), {});
}

/// How many cases usual tolerances accept.
class AcceptedCases {
 public:
  void take(const Json& result) {
    if (!result.contains("tolerances")) return;
    const bool close = result["tolerances"]["allclose"], near = result["tolerances"]["rms_ratio"];
    allclose_ += close;
    rms_ratio_ += near;
    both_ += close && near;
    both_but_fail_ += close && near && result["verdict"] == "fail";
  }

  Json json() const {
    return {{"allclose", allclose_}, {"rms_ratio", rms_ratio_}, {"both", both_}, {"both_but_fail", both_but_fail_}};
  }

 private:
  std::size_t allclose_ = 0, rms_ratio_ = 0, both_ = 0, both_but_fail_ = 0;
};

}  // namespace

std::vector<fs::path> case_folders(const fs::path& folder) {
  if (fs::exists(folder / "case.json")) return {folder};
  std::vector<fs::path> folders;
  if (!fs::is_directory(folder)) return folders;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (fs::exists(entry.path() / "case.json")) folders.push_back(entry.path());
  std::ranges::sort(folders);
  return folders;
}

Json judge_folders(const FoldersToJudge& job, const Tables& tables, const JudgeProgress& progress) {
  std::size_t without_states = 0;
  for (const fs::path& folder : job.folders) without_states += lacks_final_states(read_stored(job, folder));
  Collector collector(job.all_results);
  AcceptedCases accepted;
  std::size_t done = 0;
  run_isolated(
      job.folders.size(), {}, [&](std::size_t i) { return answer_for(job, i, tables).dump(); },
      [&](std::size_t i, const JobAnswer& answer) {
        Stored stored = read_stored(job, job.folders[i]);
        const Json json =
            answer.crashed ? crashed_answer(trial_of(job, stored), answer.text, {}) : Json::parse(answer.text);
        accepted.take(json["result"]);
        progress(++done, collector.take(stored.kernel, stored.c.family, nullptr, json));
        return true;
      });
  Json body = collector.body({}, job.folders.size());
  body["stored_outputs"] = {
      {"implementation", job.implementation}, {"without_final_states", without_states}, {"accepted", accepted.json()}};
  return body;
}

}  // namespace assay
