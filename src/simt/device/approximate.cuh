#pragma once

namespace assay::simt {
inline namespace ASSAY_MACHINE {

#define ASSAY_APPROXIMATE(name, instruction)            \
  __device__ __forceinline__ float name(float x) {      \
    float y;                                            \
    asm(instruction ".f32 %0, %1;" : "=f"(y) : "f"(x)); \
    return y;                                           \
  }

ASSAY_APPROXIMATE(ex2_approx, "ex2.approx")
ASSAY_APPROXIMATE(ex2_approx_ftz, "ex2.approx.ftz")
ASSAY_APPROXIMATE(lg2_approx, "lg2.approx")
ASSAY_APPROXIMATE(lg2_approx_ftz, "lg2.approx.ftz")
ASSAY_APPROXIMATE(rcp_approx, "rcp.approx")
ASSAY_APPROXIMATE(rcp_approx_ftz, "rcp.approx.ftz")
ASSAY_APPROXIMATE(rsqrt_approx, "rsqrt.approx")
ASSAY_APPROXIMATE(rsqrt_approx_ftz, "rsqrt.approx.ftz")
ASSAY_APPROXIMATE(sin_approx, "sin.approx")
ASSAY_APPROXIMATE(sin_approx_ftz, "sin.approx.ftz")
ASSAY_APPROXIMATE(cos_approx, "cos.approx")
ASSAY_APPROXIMATE(cos_approx_ftz, "cos.approx.ftz")
ASSAY_APPROXIMATE(tanh_approx, "tanh.approx")

#undef ASSAY_APPROXIMATE

}  // namespace ASSAY_MACHINE
}  // namespace assay::simt
