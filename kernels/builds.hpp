#pragma once

#include "kernels/build.hpp"

// The kernels as each machine's compiler built them; those of `device` are linked with -DASSAY_CUDA=ON alone.

namespace assay::kernels {

inline namespace host {
#include "kernels/build_list.inl"
}
inline namespace checked {
#include "kernels/build_list.inl"
}
inline namespace device {
#include "kernels/build_list.inl"
}

}  // namespace assay::kernels
