#pragma once

#include "simt/approximate.cuh"
#include "simt/approximate/max_errors.hpp"
#include "simt/elementary.cuh"

// Where a kernel takes its elementary functions from, and the largest error of each in ulps.

namespace assay::kernels {
inline namespace ASSAY_MACHINE {

/// simt/elementary.cuh.
struct Portable {
  static __device__ float exp(float x) { return elementary::exp(x); }
  static __device__ float log(float x) { return elementary::log(x); }
  static __device__ float sin(float x) { return elementary::sin(x); }
  static __device__ float cos(float x) { return elementary::cos(x); }
  static __device__ float tanh(float x) { return elementary::tanh(x); }

  struct Ulp {
    static constexpr double exp = elementary::max_ulp::exp;
    static constexpr double log = elementary::max_ulp::log;
    static constexpr double sin = elementary::max_ulp::sin;
    static constexpr double cos = elementary::max_ulp::cos;
    static constexpr double tanh = elementary::max_ulp::tanh;
  };
};

/// CUDA's own, as a kernel gets them that calls expf.
struct Libdevice {
  static __device__ float exp(float x) { return expf(x); }
  static __device__ float log(float x) { return logf(x); }
  static __device__ float sin(float x) { return sinf(x); }
  static __device__ float cos(float x) { return cosf(x); }
  static __device__ float tanh(float x) { return tanhf(x); }

  struct Ulp {
    static constexpr double exp = simt::libdevice::max_ulp::expf;
    static constexpr double log = simt::libdevice::max_ulp::logf;
    static constexpr double sin = simt::libdevice::max_ulp::sinf;
    static constexpr double cos = simt::libdevice::max_ulp::cosf;
    static constexpr double tanh = simt::libdevice::max_ulp::tanhf;
  };
};

/// Approximate instructions where their error has a largest size in ulps, CUDA's library elsewhere.
struct Approximate : Libdevice {
  static __device__ float exp(float x) { return __expf(x); }
  static __device__ float tanh(float x) { return simt::tanh_approx(x); }

  struct Ulp : Libdevice::Ulp {
    static constexpr double exp = simt::approximate::max_ulp::exp;
    static constexpr double tanh = simt::approximate::max_ulp::tanh;
  };
};

}  // namespace ASSAY_MACHINE
}  // namespace assay::kernels
