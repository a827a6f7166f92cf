#pragma once

#include <cstddef>

namespace assay::simt::runtime {

/// Allows the kernel its dynamic shared memory. Throws Error.
void before_device_launch(const void* kernel, std::size_t shared_bytes);

/// Waits for the kernel; throws, with its name, DeviceLost if it crashed and Error if it wrote outside its buffers.
void after_device_launch(const void* kernel);

}  // namespace assay::simt::runtime
