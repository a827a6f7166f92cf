#pragma once

#include "simt/host/vector_types.hpp"

// Where the running thread stands; rewritten at every switch. `__thread`, because `thread_local` would call an
// initialisation wrapper at every use.
extern __thread uint3 threadIdx;
extern __thread uint3 blockIdx;
extern __thread dim3 blockDim;
extern __thread dim3 gridDim;
inline constexpr int warpSize = 32;
