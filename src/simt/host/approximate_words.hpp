#pragma once

// CUDA's fast functions and its library's, with the bits of an sm_90 GPU: nvcc 13.0, -ftz=false. In namespace assay,
// where kernels find them before the C library's functions of the same names.

#include "simt/approximate/instructions.hpp"
#include "simt/approximate/libdevice.hpp"

namespace assay {

using simt::libdevice::cosf;
using simt::libdevice::exp2f;
using simt::libdevice::expf;
using simt::libdevice::logf;
using simt::libdevice::sinf;
using simt::libdevice::tanhf;

inline float rsqrtf(float x) { return simt::approximate::rsqrt(x); }
inline float __expf(float x) { return simt::approximate::exp(x); }
inline float __logf(float x) { return simt::approximate::log(x); }
inline float __log2f(float x) { return simt::approximate::lg2(x); }
inline float __sinf(float x) { return simt::approximate::sin(x); }
inline float __cosf(float x) { return simt::approximate::cos(x); }
inline float __fdividef(float x, float y) { return simt::approximate::div(x, y); }

}  // namespace assay
