#include "kernels/device/builds.hpp"
#include "kernels/device/rates.hpp"
#include "simt/options.hpp"

namespace assay {

std::vector<Build> device_builds() { return {}; }

std::vector<MutantDeviceBuild> mutant_device_builds() { return {}; }

namespace kernels {
namespace {

[[noreturn]] void absent() {
  throw simt::Error("simt: this program was built without a device machine: configure with -DASSAY_CUDA=ON");
}

}  // namespace

DeviceRates measure_device_rates() { absent(); }
void launch_empty_kernel() { absent(); }

}  // namespace kernels
}  // namespace assay
