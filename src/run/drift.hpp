#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "record/record.hpp"
#include "run/drift_curves.hpp"
#include "run/tables.hpp"

namespace assay {

/// What a study of growth runs. Kernels whose state is handed on take every length in windows, in memory that does not
/// depend on it; on the plainest family and, by a glob of "*", on those without decay. Errors against decay and C are
/// measured at `axis_tokens`, or the longest length below that. Other kernels take each length whole, and at
/// `axis_tokens` each family that stands on an axis. Lengths of one
/// series share their past: where errors are forgotten between them they are independent, as the interval of an
/// exponent wants.
struct DriftPlan {
  std::vector<const Kernel*> kernels;
  std::vector<std::int64_t> lengths;  ///< rising
  std::uint64_t seed = 1;
  std::int64_t heads = 2, width = 16;      ///< d = dv
  std::string family = "*";                ///< a glob; another than "*" gives every family that it matches all lengths
  std::int64_t most_work = 2'000'000'000;  ///< multiply-adds; lengths that need more as a whole are left out
  std::int64_t axis_tokens = 1024;
  std::filesystem::path
      progress;  ///< the folder in which long runs keep theirs, and from which they go on; empty: none
};

/// summary, curves and shares of a drift record: errors of the last tokens, and of the final states, against length,
/// decay and C; and what each kind of step does to them. Throws RecordError where the folder holds another study.
Json run_drift(const DriftPlan& plan, const Tables& tables,
               const std::function<void(std::size_t, std::size_t)>& progress);

}  // namespace assay
