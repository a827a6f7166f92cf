#pragma once

#include "run/bench_row.hpp"
#include "run/tables.hpp"

namespace assay {

/// One layer at the published configuration.
struct KernelBench {
  std::int64_t heads = 12, width = 64;  ///< d = dv
  std::int64_t tokens = 2048;
  std::int64_t variant_tokens =
      512;  ///< of kernels from given features, and of other channels than six or powers above 2
  std::int64_t decoded_tokens = 64;  ///< steps of a decode kernel, one after another
};

/// One layer through every kernel of the tables, judged: a row a kernel and variant (run, bound and judgement), and a
/// row for the certified values that those of one operator, format and variant share. Each group in a process of its
/// own. Throws std::runtime_error where a kernel fails.
std::vector<BenchRow> bench_kernels(const KernelBench& bench, const Tables& tables,
                                    const std::function<void(std::size_t, std::size_t)>& progress);

}  // namespace assay
