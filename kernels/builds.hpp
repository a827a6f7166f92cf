#pragma once

#include "kernels/build.hpp"

// What each kernel file defines, once for every machine that it is compiled for.

namespace assay::kernels {

inline namespace host {
namespace sanatan {
std::vector<Build> scan_builds();
}
}  // namespace host

inline namespace checked {
namespace sanatan {
std::vector<Build> scan_builds();
}
}  // namespace checked

}  // namespace assay::kernels
