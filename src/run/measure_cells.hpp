#pragma once

#include <functional>
#include <vector>

#include "judge/verdict.hpp"
#include "run/baseline.hpp"
#include "run/tables.hpp"

namespace assay {

/// A cell as it is now.
struct MeasuredCell {
  Cell cell;
  bool missing = false;  ///< this program has no such kernel, or no such family
  std::map<Verdict, std::size_t> verdicts;
  std::size_t vacuous = 0, degenerate = 0;
  std::map<std::size_t, Json> results;            ///< rows of results[] for cases that do not pass, by their number
  std::map<std::size_t, std::string> mismatches;  ///< blocks of those that fail
  double seconds = 0;                             ///< of all cases together

  bool fails() const { return verdicts.contains(Verdict::fail); }
};

/// Finds the kernel to run for a cell; nullptr if there is none.
using FindKernel = std::function<const Kernel*(const std::string& name)>;

/// Runs every case of every cell, each in a process that may die. A case whose bits are those that `cells` has for it
/// is not judged again: it passes, with the levels that `cells` has, and its cell's slack.
std::vector<MeasuredCell> measure_cells(const std::vector<Cell>& cells, const Tables& tables, const FindKernel& find,
                                        const std::function<void(std::size_t, std::size_t)>& progress);

}  // namespace assay
