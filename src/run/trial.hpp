#pragma once

#include <filesystem>
#include <string>

#include "record/record.hpp"
#include "run/evaluate.hpp"
#include "run/tables.hpp"

namespace assay {

/// A case with a kernel, and the law that it is also tried on.
struct Trial {
  const Kernel& kernel;
  const Case& c;
  const KernelLaw* law = nullptr;  ///< none
  Scrutiny scrutiny = {};
  std::string replay = {};  ///< the command of a stored case; empty: the one that makes it from its seed
};

/// Runs and judges a trial. If it fails, the case is made simpler as long as it fails, written to a folder of its own
/// in `counterexamples` (nowhere if that is empty), and named in the mismatch block.
/// The answer: result (a row of results[]), executions, multiply_adds, work, seconds; mismatch where the case fails;
/// law_kind and law_text of what the law says.
Json try_case(const Trial& trial, const Oracle& oracle, const std::filesystem::path& counterexamples);

/// The answer for a trial whose process died: a result that says so, with the case as it is.
Json crashed_answer(const Trial& trial, const std::string& how, const std::filesystem::path& counterexamples);

}  // namespace assay
