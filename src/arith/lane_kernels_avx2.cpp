#include "arith/lane_kernels.inl"

namespace assay::dd {

const LaneKernels avx2_kernels = compiled_kernels;

}  // namespace assay::dd
