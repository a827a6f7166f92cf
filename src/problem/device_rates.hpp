#pragma once

#include <cstdint>

namespace assay {

/// What a GPU does at most in a second, measured by kernels that do nothing else, and what its cache holds. A
/// multiply-add is two operations.
struct DeviceRates {
  double copied_bytes = 0;       ///< from memory to memory, bytes read and bytes written
  double fma_operations = 0;     ///< of float32, without tensor cores
  double tf32_operations = 0;    ///< mma.sync.m16n8k8
  double bf16_operations = 0;    ///< mma.sync.m16n8k16
  std::int64_t cache_bytes = 0;  ///< L2
};

}  // namespace assay
