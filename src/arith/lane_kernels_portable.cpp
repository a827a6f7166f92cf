#include "arith/lane_kernels.inl"

namespace assay::dd {

const LaneKernels portable_kernels = compiled_kernels;

}  // namespace assay::dd
