#include "simt/device/absent.hpp"

#include "kernels/device/builds.hpp"
#include "kernels/device/rates.hpp"

namespace assay {

std::vector<Build> device_builds() { return {}; }

std::vector<MutantDeviceBuild> mutant_device_builds() { return {}; }

namespace kernels {
DeviceRates measure_device_rates() { simt::no_device_machine(); }
void launch_empty_kernel() { simt::no_device_machine(); }

}  // namespace kernels
}  // namespace assay
