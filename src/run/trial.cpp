#include "run/trial.hpp"

#include <chrono>

#include <fmt/format.h>

#include "problem/case_mix.hpp"
#include "run/counterexample.hpp"
#include "run/result.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

/// What can be said against a trial.
struct Complaints {
  const Trial& trial;
  const Oracle& oracle;
  const fs::path& counterexamples;

  /// The mismatch block of a case that fails.
  std::string mismatch() const {
    const auto complaint = [this](const Case& c, const Origin& origin) -> std::string {
      const Evaluation e = evaluate(c, trial.kernel, oracle, trial.scrutiny);
      return e.judgement.verdict == Verdict::fail ? mismatch_text(e, origin.replay, origin.found) : "";
    };
    return counterexample(trial, "", complaint, oracle, counterexamples);
  }

  /// Of the law; `outputs` are those of the case, where they are known.
  Outcome outcome(const Case& c, const Tensors* outputs = nullptr) const {
    Draw draw(c.seed, trial.law->name, 0);
    return try_law(*trial.law, {trial.kernel, oracle, c, draw, outputs});
  }

  /// The block of a case on which the law fails.
  std::string law_text() const {
    const std::string law(trial.law->name);
    const auto complaint = [&](const Case& c, const Origin& origin) -> std::string {
      const Outcome found = outcome(c);
      if (found.kind != Outcome::Kind::fails) return "";
      return fmt::format("{}\n  law     {}\n  kernel  {}\n  case    {}, family {}, seed {}\n  replay  {}\n{}",
                         found.text, law, trial.kernel.name, sizes_text(c), c.family, c.seed, origin.replay,
                         origin.found.empty() ? "" : fmt::format("  found   {}\n", origin.found));
    };
    return counterexample(trial, law, complaint, oracle, counterexamples);
  }
};

/// A row of results[] with the command of a stored case.
Json row_of(const Evaluation& e, const Trial& trial) {
  Json row = result_json(e);
  if (!trial.replay.empty()) row["replay"] = trial.replay;
  return row;
}

/// The block of the case as it is.
std::string block_of(const Evaluation& e, const Trial& trial) {
  return trial.replay.empty() ? mismatch_text(e) : mismatch_text(e, trial.replay, "");
}

}  // namespace

Json try_case(const Trial& trial, const Oracle& oracle, const fs::path& counterexamples) {
  const auto start = std::chrono::steady_clock::now();
  const Complaints complaints{trial, oracle, counterexamples};
  const Evaluation e = evaluate(trial.c, trial.kernel, oracle, trial.scrutiny);
  Json answer = {{"result", row_of(e, trial)},
                 {"executions", e.executions},
                 {"multiply_adds", e.multiply_adds},
                 {"work", work_of(trial.c, trial.kernel.contract.algorithm)}};
  const bool fails = e.judgement.verdict == Verdict::fail;
  if (fails) answer["mismatch"] = counterexamples.empty() ? block_of(e, trial) : complaints.mismatch();
  if (e.judgement.verdict == Verdict::suspect) answer["mismatch"] = block_of(e, trial);
  if (trial.law != nullptr) {
    const bool judged = trial.law->is_judgement && trial.law->covers_case(trial.c);
    const auto kind = !judged ? complaints.outcome(trial.c, &e.outputs).kind
                      : fails ? Outcome::Kind::fails
                              : Outcome::Kind::holds;
    answer["law_kind"] = static_cast<int>(kind);
    if (kind == Outcome::Kind::fails) answer["law_text"] = judged ? answer["mismatch"] : Json(complaints.law_text());
  }
  answer["seconds"] = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return answer;
}

Json crashed_answer(const Trial& trial, const std::string& how, const fs::path& counterexamples) {
  Evaluation e{.kernel = trial.kernel.name, .mutant = trial.kernel.mutant, .input = trial.c, .text = how};
  e.judgement.verdict = Verdict::fail;
  e.judgement.rule = Rule::crashed;
  const std::string law = trial.law == nullptr ? "" : std::string(trial.law->name);
  const Origin origin = written_as_found(trial, law, counterexamples);
  return {{"result", row_of(e, trial)},
          {"executions", 0},
          {"multiply_adds", 0},
          {"work", work_of(trial.c, trial.kernel.contract.algorithm)},
          {"mismatch", mismatch_text(e, origin.replay, origin.found)},
          {"seconds", 0}};
}

}  // namespace assay
