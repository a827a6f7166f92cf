#pragma once

#include <string_view>

#include <cuda_runtime.h>

namespace assay::simt::runtime {

/// Throws Error with the runtime's own text unless `status` says success.
void require_success(cudaError_t status, std::string_view action);

}  // namespace assay::simt::runtime
