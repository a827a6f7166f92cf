#pragma once

#include <utility>

#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include "simt/buffer.hpp"
#include "simt/device/checked_launch.hpp"
#include "simt/device/recording.hpp"
#include "simt/grid.hpp"
#include "simt/options.hpp"

namespace assay::simt {
inline namespace ASSAY_MACHINE {

/// The machine whose kernels this translation unit builds.
inline constexpr Machine machine = Machine::device;

/// Where a call stands in the source: the host machine's errors say it.
struct Place {
  static __device__ __forceinline__ constexpr Place current() { return {}; }
};

/// This thread's lane in its warp.
__device__ __forceinline__ int lane_id() {
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return static_cast<int>(lane);
}

/// The block's dynamic shared memory, as an array of T.
template <class T>
__device__ __forceinline__ T* dynamic_shared() {
  extern __shared__ __align__(128) unsigned char assay_dynamic_shared[];
  return reinterpret_cast<T*>(assay_dynamic_shared);
}

/// Runs kernel(arguments…) in every thread of the grid and waits; keeps it where launches are recorded. Throws Error.
template <class... Parameters, class... Arguments>
void launch(Grid grid, void (*kernel)(Parameters...), Arguments&&... arguments) {
  const auto* const address = reinterpret_cast<const void*>(kernel);
  const auto start = [grid, kernel,
                      ... given = static_cast<Parameters>(std::forward<Arguments>(arguments))](cudaStream_t stream) {
    kernel<<<grid.blocks, grid.threads, grid.shared_bytes, stream>>>(given...);
  };
  runtime::before_device_launch(address, grid.shared_bytes);
  start(nullptr);
  runtime::after_device_launch(address);
  if (runtime::Recording* const recording = runtime::Recording::current()) recording->add(start);
}

}  // namespace ASSAY_MACHINE
}  // namespace assay::simt
