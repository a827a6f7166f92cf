#pragma once

// The one header that kernels include: CUDA's own words under nvcc, a CUDA machine on the CPU under any other compiler.

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "simt/buffer.hpp"
#include "simt/grid.hpp"
#include "simt/machine_name.hpp"
#include "simt/options.hpp"

#if defined(__CUDACC__)
#include "simt/device/launch.cuh"
#else
#include "simt/host/launch.hpp"
#include "simt/host/vocabulary.hpp"
#endif

namespace assay::simt {
inline namespace ASSAY_MACHINE {

/// Memory of this machine for what one kernel hands to the next. Not initialised.
template <class T>
Buffer<T> workspace(std::string name, std::size_t count) {
  return Buffer<T>(machine, std::move(name), count);
}

}  // namespace ASSAY_MACHINE
}  // namespace assay::simt
