#pragma once

#include <cstdint>

#include "problem/families.hpp"
#include "problem/kernel.hpp"

namespace assay {

/// Upper ends of the bins of work, in multiply-adds: 60 %, 30 %, 9 % and 1 % of the cases.
inline constexpr std::array<std::int64_t, 4> work_bins = {300'000, 3'000'000, 15'000'000, 60'000'000};

/// Multiply-adds of one pass over a case, state update and read-out.
std::int64_t work_of(const Case& c);

/// The case of this family and seed that fits the kernel: sizes, parameters and values follow from the arguments alone.
Case make_case(const Kernel& kernel, const Family& family, std::uint64_t seed);

/// Adds the operator's tensors to a case whose sizes stand, zero-filled. Optional ones are added if `wanted` says so.
void add_tensors(Case& c, const std::function<bool(const TensorSpec&)>& wanted);

}  // namespace assay
