#include "simt/buffer.hpp"

#include <fmt/format.h>

#include "simt/device/device_memory.hpp"
#include "simt/host/host_memory.hpp"
#include "simt/options.hpp"

namespace assay::simt::runtime {

std::unique_ptr<Memory> allocate(Machine machine, std::string name, Rows rows) {
  if (rows.length > rows.stride)
    throw Error(
        fmt::format("simt: buffer '{}': rows of {} bytes cannot be {} bytes apart", name, rows.length, rows.stride));
  return machine == Machine::host ? host_memory(std::move(name), rows) : device_memory(std::move(name), rows);
}

}  // namespace assay::simt::runtime
