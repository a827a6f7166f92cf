#pragma once

#include <array>
#include <cstdint>
#include <functional>

#include "problem/families.hpp"
#include "problem/kernel.hpp"

namespace assay {

/// Upper ends of the bins of work, in multiply-adds: 60 %, 30 %, 9 % and 1 % of the cases.
inline constexpr std::array<std::int64_t, 4> work_bins = {300'000, 3'000'000, 15'000'000, 60'000'000};

/// Multiply-adds of one pass of such an algorithm: state update and read-out, or scores and weighted values. Where
/// nothing is summed an element counts as a hundred: five elementary functions.
std::int64_t work_of(const Case& c, Algorithm algorithm);

/// The number of the bin that a case falls in.
std::size_t work_bin_of(const Case& c, Algorithm algorithm);

/// Blocks of that size that hold so many tokens, one at least.
std::int64_t blocks_of(std::int64_t tokens, std::int64_t block_size);

/// Whether every token is a query; if not, each sequence has one.
bool has_rows_of_tokens(const Operator& op);

/// A case longer than this is met as more than two chunks.
std::int64_t two_chunks(const Kernel& kernel);

/// The case of this family and seed that fits the kernel: sizes, parameters and values follow from the arguments alone.
Case make_case(const Kernel& kernel, const Family& family, std::uint64_t seed);

/// Its sizes alone: of the tensors only cu_seqlens is there.
Case make_sizes(const Kernel& kernel, const Family& family, std::uint64_t seed);

/// The case with the values and parameters of another family; its sizes, its power and which optional tensors it has
/// stay. Not for exact families, whose values fit a contract.
Case refilled(Case c, const Family& family);

/// Adds the operator's tensors to a case whose sizes stand, zero-filled. Optional ones are added if `wanted` says so.
void add_tensors(Case& c, const std::function<bool(const TensorSpec&)>& wanted);

}  // namespace assay
