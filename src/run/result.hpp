#pragma once

#include <string>
#include <string_view>

#include "problem/exchange.hpp"
#include "record/record.hpp"
#include "run/evaluate.hpp"
#include "run/law_result.hpp"

namespace assay {

/// The command that makes a kernel's case of this family and seed again and judges it, or tries a law on it.
std::string verify_command(const std::string& kernel, const std::string& mutant, const Case& c,
                           std::string_view law = "");

/// The command that runs the case of a folder with a kernel.
std::string replay_command(const std::string& folder, const Kernel& kernel, const StoredCase& stored);

/// A row of `results[]`.
Json result_json(const Evaluation& e);

/// The mismatch block of an evaluation that did not pass; `replay` and `found` as in Provenance, by default the command
/// that makes the case again.
std::string mismatch_text(const Evaluation& e);
std::string mismatch_text(const Evaluation& e, const std::string& replay, const std::string& found);

/// A row of `laws[]`.
Json law_json(const Law& law, const LawResult& result, std::uint64_t seed);

}  // namespace assay
