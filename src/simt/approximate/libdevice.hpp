#pragma once

/// Functions of CUDA's libdevice as nvcc 13.0 compiles them for sm_90 with -ftz=false -prec-div=true, bit for bit: the
/// same float operations in the same order, on the instructions of instructions.hpp. Read from the PTX of each, held
/// against the GPU on all 2^32 inputs (`assay bits approximations`). A NaN result is 0x7fffffff.
namespace assay::simt::libdevice {

/// e^x = 2^n ex2_ftz(r), x log2 e = n + r.
float expf(float x);
/// By ex2.
float exp2f(float x);
/// n ln 2 + log1p(f), x = 2^n (1 + f) with 2/3 <= 1 + f < 4/3, by a polynomial.
float logf(float x);
/// π/2 in three parts to |x| < 105615, Payne and Hanek above that; polynomials.
float sinf(float x);
float cosf(float x);
/// A polynomial below 0.6, from there on 1 - 2 / (1 + e^2|x|) by ex2_ftz and rcp_ftz.
float tanhf(float x);

}  // namespace assay::simt::libdevice
