#pragma once

#include <cstdint>

/// ASSAY_HOST_DEVICE: a function of both machines, inlined so that loops over it vectorise on the host.
#ifdef __CUDACC__
#define ASSAY_HOST_DEVICE __host__ __device__ __forceinline__
#else
#define ASSAY_HOST_DEVICE inline __attribute__((always_inline))
#endif

namespace assay {

ASSAY_HOST_DEVICE std::uint32_t float_bits(float x) { return __builtin_bit_cast(std::uint32_t, x); }
ASSAY_HOST_DEVICE float float_from_bits(std::uint32_t bits) { return __builtin_bit_cast(float, bits); }

}  // namespace assay
