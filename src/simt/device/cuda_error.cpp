#include "simt/device/cuda_error.hpp"

#include <fmt/format.h>

#include "simt/options.hpp"

namespace assay::simt::runtime {

void require_success(cudaError_t status, std::string_view action) {
  if (status != cudaSuccess)
    throw Error(fmt::format("simt: device: {}: {} ({})", action, cudaGetErrorString(status), cudaGetErrorName(status)));
}

}  // namespace assay::simt::runtime
