#pragma once

// The one header that kernels include: CUDA's own words under nvcc, a CUDA machine on the CPU under any other compiler.
// ASSAY_MACHINE names the build (host, field, checked or device) and the inline namespace that keeps it apart.

#include <cmath>
#include <cstddef>
#include <cstdint>

#if !defined(ASSAY_MACHINE)
#if defined(__CUDACC__)
#define ASSAY_MACHINE device
#else
#define ASSAY_MACHINE host
#endif
#endif

#include "simt/buffer.hpp"
#include "simt/grid.hpp"
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
