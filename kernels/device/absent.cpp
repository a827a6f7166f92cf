#include "kernels/device/builds.hpp"

namespace assay {

std::vector<Build> device_builds() { return {}; }

std::vector<MutantDeviceBuild> mutant_device_builds() { return {}; }

}  // namespace assay
