#pragma once

#include "simt/simt.cuh"

#if defined(__CUDACC__)
#include "simt/device/approximate.cuh"
#else
#include "simt/host/approximate.hpp"
#endif

// Approximate instructions of PTX by name; CUDA's own words for them, __expf and others, need simt.cuh alone. What each
// computes: simt/approximate/instructions.hpp.
