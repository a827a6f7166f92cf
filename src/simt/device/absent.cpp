#include "simt/device/device_identity.hpp"
#include "simt/device/device_memory.hpp"
#include "simt/options.hpp"

namespace assay::simt {

std::optional<DeviceIdentity> device_identity() { return std::nullopt; }

namespace runtime {

std::unique_ptr<Memory> device_memory(std::string, Rows) {
  throw Error("simt: this program was built without a device machine: configure with -DASSAY_CUDA=ON");
}

}  // namespace runtime
}  // namespace assay::simt
