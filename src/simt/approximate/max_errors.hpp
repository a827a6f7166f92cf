#pragma once

/// Largest errors over all 2^32 inputs, in ulps of the exact result, rounded up to three decimals; found as those of
/// simt/elementary.cuh. Others have none: near a zero of the function that x does not meet exactly, the error of
/// lg2.approx, sin.approx and cos.approx is no part of the result.
namespace assay::simt::approximate::max_ulp {

/// For -126 <= x < 128.
inline constexpr double ex2_ftz = 2.055;
inline constexpr double ex2 = 2.384;
/// For normal x with normal 1/x.
inline constexpr double rcp_ftz = 0.975;
inline constexpr double rcp = 0.985;
/// For normal x > 0.
inline constexpr double rsqrt_ftz = 1.515;
inline constexpr double rsqrt = 1.515;
inline constexpr double tanh = 133.953;
/// __expf.
inline constexpr double exp = 63.781;

}  // namespace assay::simt::approximate::max_ulp

namespace assay::simt::libdevice::max_ulp {

inline constexpr double expf = 1.931;
inline constexpr double exp2f = approximate::max_ulp::ex2;
inline constexpr double logf = 0.865;
inline constexpr double sinf = 1.5;
inline constexpr double cosf = 1.511;
inline constexpr double tanhf = 1.815;
inline constexpr double rsqrtf = approximate::max_ulp::rsqrt;

}  // namespace assay::simt::libdevice::max_ulp
