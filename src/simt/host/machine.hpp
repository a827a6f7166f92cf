#pragma once

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <string>

#include "simt/host/vector_types.hpp"

/// What the words of CUDA stand on: the calls that a running thread of a block makes to the machine.
namespace assay::simt::runtime {

using Place = std::source_location;

enum class BarrierKind : std::uint8_t { plain, count, all, any };

/// Waits for every thread of the block. Returns the count, conjunction or disjunction of the predicates.
int barrier(BarrierKind kind, bool predicate, Place place);

/// Combines what the lanes of a warp brought: lane l's data at data[l], for the lanes of `mask`.
using Combine = void (*)(void* const* data, std::uint32_t mask);

/// Waits until all lanes of `mask` have come to the same operation at the same place; the last of them combines.
/// `mine` may live on the caller's stack.
void meet(const char* operation, std::uint32_t mask, void* mine, Combine combine, Place place);

/// The meeting of __syncwarp: it also orders memory among the lanes of `mask`.
void meet_in_memory(std::uint32_t mask, Place place);

int lane();

/// The block's dynamic shared memory, aligned to 128 bytes.
std::byte* dynamic_shared();

/// Atomics: another thread may come first under a random schedule; the checker sees an atomic access. `code` is the
/// address that the kernel's call returns to.
void before_atomic(const void* address, std::size_t bytes, const void* code);

/// Whether the bytes lie in the block's shared memory, static or dynamic.
bool in_shared_memory(const void* address, std::size_t bytes);

/// Orders memory between OS threads.
void fence();

/// ldmatrix: the running lane gives a row of 16 bytes in shared memory.
void read_matrix_row(const void* row, Place place, const void* code);

/// cp.async: `bytes` bytes to shared memory, the first `source_bytes` of them from global memory, the rest 0.
void issue_copy(void* to, const void* from, std::size_t bytes, std::size_t source_bytes, Place place);
void commit_copies();
void wait_for_copies(std::size_t pending_groups);

/// Counts a warp's tile product, once a warp.
void count_macs(std::uint64_t macs, bool on_tensor_core);

/// Ends the launch with an error that names kernel, block, thread and place.
[[noreturn]] void fail(std::string rule, Place place);

struct Launch {
  dim3 grid;
  dim3 block;
  std::size_t shared_bytes = 0;
  const void* kernel = nullptr;                   ///< its address, to find name and arrays
  void (*body)(const void* arguments) = nullptr;  ///< runs one thread
  const void* arguments = nullptr;
  std::size_t arguments_bytes = 0;
};

/// Runs every thread of every block under the current session. Throws Error.
void launch(const Launch& launch);

}  // namespace assay::simt::runtime
