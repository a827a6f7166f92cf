#include <chrono>

#include <fmt/format.h>

#include "cli/verdicts.hpp"
#include "kernels/ill_conditioned.hpp"
#include "problem/npy.hpp"
#include "run/judge_folders.hpp"

namespace assay::cli {
namespace {

struct JudgeOptions {
  std::string folder, contract, algorithm, implementation;
  bool strict = false, all_results = false;
  Output output;
};

std::string command_for(const JudgeOptions& o, const std::filesystem::path& folder) {
  std::string command = fmt::format("assay judge '{}' --contract '{}'", folder.string(), o.contract);
  if (!o.algorithm.empty()) command += " --algorithm " + o.algorithm;
  return command;
}

FoldersToJudge job_of(const JudgeOptions& o) {
  if (o.implementation.find_first_of("\r\n") != std::string::npos)
    throw Stop(exit_usage, "--implementation: needs one line of text");
  FoldersToJudge job{.folders = case_folders(o.folder),
                     .contract = stated_contract(o.contract),
                     .implementation = o.implementation,
                     .all_results = o.all_results,
                     .ill_conditioned = ill_conditioned_families,
                     .command = [&o](const std::filesystem::path& folder) { return command_for(o, folder); }};
  if (!o.algorithm.empty()) job.contract.algorithm = parse_algorithm(o.algorithm);
  if (job.folders.empty())
    throw Stop(exit_usage, fmt::format("{}: neither a case folder nor a folder of some", o.folder));
  return job;
}

Json judged(const JudgeOptions& o, const FoldersToJudge& job, const Context& context) {
  ProgressLine line("judge", o.output.quiet);
  try {
    return judge_folders(job, context.tables, [&](std::size_t done, const std::string& mismatch) {
      if (!mismatch.empty()) {
        line.clear();
        fmt::print(o.output.people(), "{}\n", mismatch);
      }
      line.show(done, job.folders.size());
    });
  } catch (const ExchangeError& error) {
    throw Stop(exit_usage, error.what());
  }
}

std::string what_was_judged(const Json& body) {
  const Json& without = body["stored_outputs"]["without_final_states"];
  return fmt::format("stored outputs of {} cases{}", body["summary"]["cases"].dump(),
                     without == 0 ? "" : fmt::format(", {} of them without final states", without.dump()));
}

/// Beside the verdicts, which do not depend on it.
std::string what_tolerances_say(const Json& body) {
  const Json& accepted = body["stored_outputs"]["accepted"];
  return fmt::format("tolerances of 0.005: allclose accepts {} cases, an RMS ratio {}; both accept {} that fail\n",
                     accepted["allclose"].dump(), accepted["rms_ratio"].dump(), accepted["both_but_fail"].dump());
}

void judge(const JudgeOptions& o, const Context& context) {
  const auto start = std::chrono::steady_clock::now();
  const Json body = judged(o, job_of(o), context);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  fmt::print(o.output.people(), "{}", what_tolerances_say(body));
  conclude(body,
           {.what = what_was_judged(body), .where = "contract " + o.contract, .seconds = seconds, .strict = o.strict},
           o.output, context);
}

}  // namespace

void add_judge(CLI::App& app, const Context& context) {
  const auto o = std::make_shared<JudgeOptions>();
  CLI::App* command = app.add_subcommand("judge", "judge what another program computed for exported cases");
  command->add_option("folder", o->folder, "a case folder, or a folder of them; each with out/*.npy")
      ->required()
      ->type_name("DIR");
  command->add_option("--contract", o->contract, contract_presets() + ", or a JSON file with the contract's fields")
      ->required()
      ->type_name("NAME|FILE");
  command->add_option("--algorithm", o->algorithm, "in place of the contract's: scan, chunk, parallel or decode")
      ->type_name("NAME");
  command->add_option("--implementation", o->implementation, "whose outputs these are, with versions, for the record")
      ->type_name("TEXT");
  command->add_flag("--strict", o->strict,
                    "suspect fails; more undecided cases than an acceptance run allows is exit code 4");
  command->add_flag("--all-results", o->all_results, "keep the results of every case in the record");
  o->output.add_to(*command);
  command->callback([o, &context] { judge(*o, context); });
}

}  // namespace assay::cli
