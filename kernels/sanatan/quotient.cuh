#pragma once

#include "simt/element.cuh"

// The last steps of every kernel of attention.

namespace assay::kernels {
inline namespace ASSAY_MACHINE {
namespace sanatan {

/// max(s, 0); a NaN stays one. A field has no order: its elements stay as they are.
__device__ inline float positive_part(float s) { return s < 0.0f ? 0.0f : s; }
template <class K>
__device__ K positive_part(K s) {
  return s;
}

}  // namespace sanatan
}  // namespace ASSAY_MACHINE
}  // namespace assay::kernels
