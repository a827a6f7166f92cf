#pragma once

#include <string_view>

#include <cuda_runtime.h>
#include <fmt/format.h>

#include "simt/options.hpp"

namespace assay::simt::runtime {

/// Throws Error with the runtime's own text unless `status` says success.
inline void require_success(cudaError_t status, std::string_view action) {
  if (status != cudaSuccess)
    throw Error(fmt::format("simt: device: {}: {} ({})", action, cudaGetErrorString(status), cudaGetErrorName(status)));
}

}  // namespace assay::simt::runtime
