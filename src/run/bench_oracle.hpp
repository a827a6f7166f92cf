#pragma once

#include "run/bench_row.hpp"
#include "run/tables.hpp"

namespace assay {

/// One head of the published size, and the part of it that the definition is timed on.
struct OracleBench {
  std::int64_t tokens = 2048, width = 64;  ///< d = dv
  std::int64_t reference_tokens = 64;  ///< the first ones; their time is scaled to all, as the scan's cost is linear
  int calls = 3;                       ///< of each oracle; the fastest counts
};

/// Certified values of every operator that has a definition to compare with, on every double-double path of this
/// machine, beside the definition at 50 digits. Throws std::runtime_error where the two disagree by more than the
/// certified radius.
std::vector<BenchRow> bench_oracle(const OracleBench& bench, const Tables& tables);

}  // namespace assay
