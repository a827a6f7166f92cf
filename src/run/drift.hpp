#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "record/record.hpp"
#include "run/tables.hpp"

namespace assay {

/// What a study of growth with length runs: each kernel on the first family of its operator.
struct DriftPlan {
  std::vector<const Kernel*> kernels;
  std::vector<std::int64_t> lengths;  ///< rising
  std::uint64_t seed = 1;
  std::int64_t heads = 2, width = 16;      ///< d = dv
  std::int64_t most_work = 2'000'000'000;  ///< multiply-adds; lengths where a kernel needs more are left out
};

/// Tokens at the end of each sequence whose errors are counted.
inline constexpr std::int64_t counted_tokens = 64;

/// summary and curves of a drift record: errors of the last tokens, and of the final states, against length. One curve
/// a kernel and output.
Json run_drift(const DriftPlan& plan, const Tables& tables,
               const std::function<void(std::size_t, std::size_t)>& progress);

/// Whether the 99 % quantile of the error passes that of the bound somewhere, which proves an element above its own, or
/// the kernel stopped.
bool above_bound(const Json& curve);

}  // namespace assay
