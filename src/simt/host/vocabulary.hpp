#pragma once

// The words of CUDA C++, for g++: qualifiers and barriers here, the rest in the files included below.

#include <source_location>

#include "simt/host/approximate_words.hpp"
#include "simt/host/atomics.hpp"
#include "simt/host/intrinsics.hpp"
#include "simt/host/machine.hpp"
#include "simt/host/pipeline.hpp"
#include "simt/host/thread_index.hpp"
#include "simt/host/vector_types.hpp"
#include "simt/host/warp.hpp"

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __constant__ const
// Inside a function `thread_local` implies `static`, and an OS thread runs one block at a time. `used`: it is written
// where the compiler cannot see it, when it is filled with poison.
#define __shared__ __attribute__((used)) thread_local

static inline void __syncthreads(std::source_location place = std::source_location::current()) {
  assay::simt::runtime::barrier(assay::simt::runtime::BarrierKind::plain, false, place);
}
static inline int __syncthreads_count(int predicate, std::source_location place = std::source_location::current()) {
  return assay::simt::runtime::barrier(assay::simt::runtime::BarrierKind::count, predicate != 0, place);
}
static inline int __syncthreads_and(int predicate, std::source_location place = std::source_location::current()) {
  return assay::simt::runtime::barrier(assay::simt::runtime::BarrierKind::all, predicate != 0, place);
}
static inline int __syncthreads_or(int predicate, std::source_location place = std::source_location::current()) {
  return assay::simt::runtime::barrier(assay::simt::runtime::BarrierKind::any, predicate != 0, place);
}
static inline void __syncwarp(unsigned mask = 0xffffffff,
                              std::source_location place = std::source_location::current()) {
  assay::simt::runtime::meet_in_memory(mask, place);
}

static inline void __threadfence() { assay::simt::runtime::fence(); }
static inline void __threadfence_block() { assay::simt::runtime::fence(); }
