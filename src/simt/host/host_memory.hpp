#pragma once

#include <memory>
#include <string>

#include "simt/buffer.hpp"

namespace assay::simt::runtime {

/// Memory of the CPU, registered as a region: an unreadable page follows the last multiple of 16 bytes.
std::unique_ptr<Memory> host_memory(std::string name, Rows rows);

}  // namespace assay::simt::runtime
