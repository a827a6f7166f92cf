#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "record/record.hpp"
#include "run/stated_contract.hpp"
#include "run/tables.hpp"

namespace assay {

/// Case folders whose out/ holds what somebody else's program computed: one .npy an output of the operator, of which
/// optional ones may be missing, together.
struct FoldersToJudge {
  std::vector<std::filesystem::path> folders;
  StatedContract contract;
  std::string implementation;  ///< whose outputs they are, with versions; empty: not told
  bool all_results = false;

  /// The families on which an operator itself magnifies roundings.
  std::function<std::map<std::string_view, double>(const Operator&, const Contract&)> ill_conditioned;

  /// The command that judges one of them.
  std::function<std::string(const std::filesystem::path&)> command;
};

/// The folder itself if it holds a case, else those in it that do, by name.
std::vector<std::filesystem::path> case_folders(const std::filesystem::path& folder);

/// Called as answers arrive: how many are done, and the mismatch block of one that did not pass.
using JudgeProgress = std::function<void(std::size_t done, const std::string& mismatch)>;

/// The body of a verify record with `stored_outputs`: the implementation, how many cases are without final states, and
/// how many are accepted by usual tolerances. A missing or malformed output fails its
/// case. Throws ExchangeError for a case that cannot be read and RecordError for one that the contract does not fit.
Json judge_folders(const FoldersToJudge& job, const Tables& tables, const JudgeProgress& progress);

}  // namespace assay
