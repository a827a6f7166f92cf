#include "simt/device/device_memory.hpp"
#include "simt/options.hpp"

namespace assay::simt::runtime {

std::unique_ptr<Memory> device_memory(std::string, Rows) {
  throw Error("simt: this program was built without a device machine: configure with -DASSAY_CUDA=ON");
}

}  // namespace assay::simt::runtime
