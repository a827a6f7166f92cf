#pragma once

/// Approximate instructions of PTX as an sm_90 GPU computes them, bit for bit: functions of few bits, kept in tables
/// that the GPU filled. Each was held against the GPU on all 2^32 inputs (`assay bits approximations`). A NaN result is
/// 0x7fffffff. The first use of a table unpacks it: 32 MiB, rsqrt 64.
namespace assay::simt::approximate {

/// x, a NaN as the GPU makes it.
float canonical(float x);

/// ex2.approx.ftz.f32: 2^x. |x| is cut to 23 bits behind the point; results below 2^-126 are 0.
float ex2_ftz(float x);
/// lg2.approx.ftz.f32: log2 of the mantissa plus the exponent, rounded toward zero; subnormal x count as 0.
float lg2_ftz(float x);
/// rcp.approx.ftz.f32: 1/x; subnormal x and results count as 0.
float rcp_ftz(float x);
/// rsqrt.approx.ftz.f32: 1/sqrt(x); subnormal x count as 0.
float rsqrt_ftz(float x);
/// sin.approx.f32 and its .ftz: of x/(2π), rounded toward zero, the fraction alone counts, cut to 25 bits.
float sin(float x);
/// cos.approx.f32 and its .ftz: sin.approx a quarter turn on; even.
float cos(float x);
/// tanh.approx.f32: x itself below 2^-8, ±1 from 8 on, between them a function of 17 to 21 bits of the mantissa.
float tanh(float x);

/// ex2.approx.f32: below -126 the square of ex2_ftz(x / 2).
float ex2(float x);
/// lg2.approx.f32: of a subnormal x, lg2_ftz(2^24 x) - 24.
float lg2(float x);
/// rcp.approx.f32: of a subnormal x 2^24 rcp_ftz(2^24 x), above 2^126 rcp_ftz(x / 4) / 4.
float rcp(float x);
/// rsqrt.approx.f32: of a subnormal x, 2^12 rsqrt_ftz(2^24 x).
float rsqrt(float x);
/// div.approx.f32: x rcp_ftz(y); of a subnormal y, 2^24 (x rcp_ftz(2^24 y)). 0 for 2^126 < |y| < 2^128.
float div(float x, float y);

/// __expf: ex2 of x times the float next to log2 e.
float exp(float x);
/// __logf: lg2 of x, times the float next to ln 2.
float log(float x);

}  // namespace assay::simt::approximate
