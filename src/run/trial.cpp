#include "run/trial.hpp"

#include <algorithm>
#include <chrono>
#include <functional>

#include <fmt/format.h>

#include "problem/case_mix.hpp"
#include "problem/exchange.hpp"
#include "problem/shrink.hpp"
#include "run/result.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

Outcome outcome_of(const Trial& trial, const Case& c, const Oracle& oracle) {
  Draw draw(c.seed, trial.law->name, 0);
  return try_law(*trial.law, {trial.kernel, oracle, c, draw});
}

/// What the trial's law says of a case that was evaluated.
Outcome outcome_of(const Trial& trial, const Evaluation& e, const Oracle& oracle) {
  if (!trial.law->is_judgement || !trial.law->covers_case(e.input)) return outcome_of(trial, e.input, oracle);
  return e.judgement.verdict == Verdict::fail ? Outcome::fails(mismatch_text(e)) : Outcome::holds();
}

/// "<folder>/sanatan.attention-scan.f32-peaked-123"
fs::path folder_of(const StoredCase& stored, const fs::path& folder) {
  std::string name = fmt::format("{}-{}-{}", stored.kernel, stored.c.family, stored.c.seed);
  std::ranges::replace(name, '/', '-');
  return folder / name;
}

/// Two lines for the mismatch block: the folder with its sizes, and how to run it.
std::string written(const StoredCase& stored, const std::string& mutant, const fs::path& folder) {
  const fs::path path = folder_of(stored, folder);
  try {
    fs::create_directories(folder);
    write_case(stored, path);
  } catch (const std::exception& error) {
    return fmt::format("  shrunk  {} (not kept: {})\n", sizes_text(stored.c), error.what());
  }
  return fmt::format("  shrunk  {}\n  again   assay replay '{}'{}\n", sizes_text(stored.c), path.string(),
                     mutant.empty() ? "" : " --mutant " + mutant);
}

/// The simplest case on which `fails` holds and that the kernel takes, written to a folder.
std::string shrunk_text(const Trial& trial, const std::string& law, const std::function<bool(const Case&)>& fails,
                        const fs::path& folder) {
  if (folder.empty()) return "";
  const auto still_fails = [&](const Case& c) {
    try {
      return trial.kernel.refusal(c).empty() && fails(c);
    } catch (const std::exception&) {
      return false;  // simpler than the oracle's domain
    }
  };
  return written({shrunk(trial.c, still_fails), trial.kernel.name, law}, trial.kernel.mutant, folder);
}

}  // namespace

Json try_case(const Trial& trial, const Oracle& oracle, const fs::path& counterexamples) {
  const auto start = std::chrono::steady_clock::now();
  const Evaluation e = evaluate(trial.c, trial.kernel, oracle, trial.scrutiny);
  Json answer = {{"result", result_json(e)},
                 {"executions", e.executions},
                 {"multiply_adds", e.multiply_adds},
                 {"work", work_of(trial.c, trial.kernel.contract.algorithm)}};
  const auto case_fails = [&](const Case& c) {
    return evaluate(c, trial.kernel, oracle, trial.scrutiny).judgement.verdict == Verdict::fail;
  };
  if (e.judgement.verdict == Verdict::fail)
    answer["mismatch"] = mismatch_text(e) + shrunk_text(trial, "", case_fails, counterexamples);
  if (trial.law != nullptr) {
    const Outcome outcome = outcome_of(trial, e, oracle);
    answer["law_kind"] = static_cast<int>(outcome.kind);
    const auto law_fails = [&](const Case& c) { return outcome_of(trial, c, oracle).kind == Outcome::Kind::fails; };
    if (outcome.kind == Outcome::Kind::fails)
      answer["law_text"] =
          trial.law->is_judgement
              ? outcome.text
              : outcome.text + "\n" + shrunk_text(trial, std::string(trial.law->name), law_fails, counterexamples);
  }
  answer["seconds"] = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return answer;
}

Json crashed_answer(const Trial& trial, const std::string& how, const fs::path& counterexamples) {
  Evaluation e{.kernel = trial.kernel.name, .mutant = trial.kernel.mutant, .input = trial.c, .text = how};
  e.judgement.verdict = Verdict::fail;
  e.judgement.rule = Rule::crashed;
  const std::string law = trial.law == nullptr ? "" : std::string(trial.law->name);
  const StoredCase stored{trial.c, trial.kernel.name, law};
  return {{"result", result_json(e)},
          {"executions", 0},
          {"multiply_adds", 0},
          {"work", work_of(trial.c, trial.kernel.contract.algorithm)},
          {"mismatch",
           mismatch_text(e) + (counterexamples.empty() ? "" : written(stored, trial.kernel.mutant, counterexamples))},
          {"seconds", 0}};
}

}  // namespace assay
