#pragma once

#include "properties/simt/kernels/run.hpp"
#include "simt/simt.cuh"

// Kernels with one fault each, in how they use asynchronous copies. in [512]; out [32] by one warp or [64] by two.

namespace assay::simt_laws::ASSAY_MACHINE {

/// The barrier does not wait for the copies.
__global__ void copy_without_a_wait(const float* in, float* out) {
  __shared__ __align__(16) float s[128];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&s[4 * t], &in[4 * t], 16);
  __pipeline_commit();
  __syncthreads();
  out[t] = s[127 - 4 * t];
}

/// One group too many is left pending.
__global__ void copy_with_a_wait_for_too_few(const float* in, float* out) {
  __shared__ __align__(16) float s[2][128];
  const int t = threadIdx.x;
  for (int stage = 0; stage < 2; ++stage) {
    __pipeline_memcpy_async(&s[stage][4 * t], &in[128 * stage + 4 * t], 16);
    __pipeline_commit();
  }
  __pipeline_wait_prior(1);
  __syncthreads();
  out[t] = s[1][127 - 4 * t];
}

/// The copy belongs to no group when the wait comes.
__global__ void copy_without_a_commit(const float* in, float* out) {
  __shared__ __align__(16) float s[128];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&s[4 * t], &in[4 * t], 16);
  __pipeline_wait_prior(0);
  __syncthreads();
  out[t] = s[127 - 4 * t];
}

/// A thread waits for its own copies only: others need a barrier as well.
__global__ void copy_without_a_barrier(const float* in, float* out) {
  __shared__ __align__(16) float s[256];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&s[4 * t], &in[4 * t], 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[t] = s[255 - 4 * t];
}

/// The second copy goes to the stage that the other warp may still read.
__global__ void copy_into_a_stage_that_is_read(const float* in, float* out) {
  __shared__ __align__(16) float s[256];
  const int t = threadIdx.x;
  float sum = 0;
  for (int round = 0; round < 2; ++round) {
    __pipeline_memcpy_async(&s[4 * t], &in[256 * round + 4 * t], 16);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    sum += s[255 - 4 * t];
  }
  out[t] = sum;
}

/// The copy may arrive before the cell's old value is read.
__global__ void copy_into_a_cell_before_its_read(const float* in, float* out) {
  __shared__ __align__(16) float s[128];
  const int t = threadIdx.x;
  s[4 * t] = in[4 * t];
  __pipeline_memcpy_async(&s[4 * t], &in[128 + 4 * t], 16);
  __pipeline_commit();
  const float old = s[4 * t];
  __pipeline_wait_prior(0);
  out[t] = old + s[4 * t];
}

__global__ void copy_out_of_line(const float* in, float* out) {
  __shared__ __align__(16) float s[132];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&s[4 * t + 1], &in[4 * t], 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[t] = s[4 * t + 1];
}

__global__ void copy_of_twelve_bytes(const float* in, float* out) {
  __shared__ __align__(16) float s[128];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&s[4 * t], &in[4 * t], 12);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[t] = s[4 * t];
}

__global__ void copy_to_global_memory(const float* in, float* out) {
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&out[t], &in[t], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
}

template <void (*kernel)(const float*, float*), int threads = 32>
std::vector<float> run_copy_fault() {
  const simt::Buffer<float> in(simt::machine, "in", values(512, 1));
  simt::Buffer<float> out(simt::machine, "out", threads);
  simt::launch({.blocks = 1, .threads = threads}, kernel, in.data(), out.data());
  return out.values();
}

std::span<const Run> copy_faults() {
  static constexpr Run runs[] = {
      {"copy_without_a_wait", run_copy_fault<copy_without_a_wait>},
      {"copy_with_a_wait_for_too_few", run_copy_fault<copy_with_a_wait_for_too_few>},
      {"copy_without_a_commit", run_copy_fault<copy_without_a_commit>},
      {"copy_without_a_barrier", run_copy_fault<copy_without_a_barrier, 64>},
      {"copy_into_a_stage_that_is_read", run_copy_fault<copy_into_a_stage_that_is_read, 64>},
      {"copy_into_a_cell_before_its_read", run_copy_fault<copy_into_a_cell_before_its_read>},
      {"copy_out_of_line", run_copy_fault<copy_out_of_line>},
      {"copy_of_twelve_bytes", run_copy_fault<copy_of_twelve_bytes>},
      {"copy_to_global_memory", run_copy_fault<copy_to_global_memory>},
  };
  return runs;
}

}  // namespace assay::simt_laws::ASSAY_MACHINE
