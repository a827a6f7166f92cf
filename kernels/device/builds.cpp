#include "kernels/device/builds.hpp"

#include "kernels/builds.hpp"

namespace assay {

std::vector<Build> device_builds() { return kernels::device::all_builds(); }

}  // namespace assay
