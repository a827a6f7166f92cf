#pragma once

#include <cstdint>
#include <string>

namespace assay::simt {

/// What a result or a time on a GPU may depend on.
struct DeviceDescription {
  std::string name;    ///< "NVIDIA H200"
  std::string driver;  ///< "580.95.05, CUDA 13.0"
  int multiprocessors = 0;
  std::int64_t cache_bytes = 0;  ///< L2
};

/// Of the GPU that kernels run on. Throws Error where there is none, or where the program has no device machine. A
/// process that has asked must not fork workers that use the GPU.
DeviceDescription describe_device();

/// Makes this process's context on the GPU, which takes a second, unless it has one. Throws Error as describe_device.
void start_device();

}  // namespace assay::simt
