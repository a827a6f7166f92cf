#pragma once

#include "simt/approximate/instructions.hpp"
#include "simt/machine_name.hpp"

namespace assay::simt {
inline namespace ASSAY_MACHINE {

inline float ex2_approx(float x) { return approximate::ex2(x); }
inline float ex2_approx_ftz(float x) { return approximate::ex2_ftz(x); }
inline float lg2_approx(float x) { return approximate::lg2(x); }
inline float lg2_approx_ftz(float x) { return approximate::lg2_ftz(x); }
inline float rcp_approx(float x) { return approximate::rcp(x); }
inline float rcp_approx_ftz(float x) { return approximate::rcp_ftz(x); }
inline float rsqrt_approx(float x) { return approximate::rsqrt(x); }
inline float rsqrt_approx_ftz(float x) { return approximate::rsqrt_ftz(x); }
inline float sin_approx(float x) { return approximate::sin(x); }
inline float sin_approx_ftz(float x) { return approximate::sin(x); }
inline float cos_approx(float x) { return approximate::cos(x); }
inline float cos_approx_ftz(float x) { return approximate::cos(x); }
inline float tanh_approx(float x) { return approximate::tanh(x); }

}  // namespace ASSAY_MACHINE
}  // namespace assay::simt
