#pragma once

#include <vector>

#include "kernels/build.hpp"

namespace assay {

std::vector<Build> host_builds();

}  // namespace assay
