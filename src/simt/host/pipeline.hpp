#pragma once

// cp.async, as <cuda_pipeline.h> names it.

#include <cstddef>
#include <source_location>

#include "simt/host/machine.hpp"

/// Copies `bytes` (4, 8 or 16) to shared memory; the last `zero_filled` of them become 0 and are not read.
static inline void __pipeline_memcpy_async(void* shared, const void* global, std::size_t bytes,
                                           std::size_t zero_filled = 0,
                                           std::source_location place = std::source_location::current()) {
  assay::simt::runtime::issue_copy(shared, global, bytes, bytes - zero_filled, place);
}
static inline void __pipeline_commit() { assay::simt::runtime::commit_copies(); }
/// Waits for every commit but the last `pending` ones.
static inline void __pipeline_wait_prior(std::size_t pending) { assay::simt::runtime::wait_for_copies(pending); }
