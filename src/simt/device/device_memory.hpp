#pragma once

#include <memory>
#include <string>

#include "simt/buffer.hpp"

namespace assay::simt::runtime {

/// Memory of the GPU, with pads of 256 bytes that are checked after every launch. Throws Error without CUDA.
std::unique_ptr<Memory> device_memory(std::string name, Rows rows);

}  // namespace assay::simt::runtime
