#define ASSAY_MACHINE host
#include "kernels/host_builds.hpp"

#include "kernels/sanatan/scan.cuh"

namespace assay {

std::vector<Build> host_builds() { return kernels::sanatan::scan_builds(); }

}  // namespace assay
