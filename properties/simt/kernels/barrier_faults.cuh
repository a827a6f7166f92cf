#pragma once

#include "properties/simt/kernels/run.hpp"
#include "simt/simt.cuh"

// Kernels with one fault each, in how they use block barriers; and faults that end a thread.

namespace assay::simt_laws::ASSAY_MACHINE {

__global__ void barrier_in_a_branch(float* out) {
  if (threadIdx.x < 16) __syncthreads();
  out[threadIdx.x] = 1;
}

__global__ void barriers_on_two_lines(float* out) {
  if (threadIdx.x < 16)
    __syncthreads();
  else
    __syncthreads();
  out[threadIdx.x] = 1;
}

__global__ void barriers_of_two_kinds(float* out) {
  if (threadIdx.x < 16) __syncthreads();
  if (threadIdx.x >= 16) __syncthreads_or(0);
  out[threadIdx.x] = 1;
}

__global__ void barrier_after_a_return(float* out) {
  if (threadIdx.x == 0) return;
  __syncthreads();
  out[threadIdx.x] = 1;
}

__global__ void return_before_a_barrier(float* out) {
  if (threadIdx.x == 31) return;
  __syncthreads();
  out[threadIdx.x] = 1;
}

__global__ void barrier_in_a_loop_of_different_length(float* out) {
  for (unsigned i = 0; i < 1 + threadIdx.x / 16; ++i) __syncthreads();
  out[threadIdx.x] = 1;
}

/// Half a warp waits at the block barrier, the other half for the whole warp.
__global__ void deadlock(float* out) {
  if (threadIdx.x < 16) __syncwarp();
  __syncthreads();
  out[threadIdx.x] = 1;
}

__global__ void exception_in_a_kernel(float* out) {
  if (out != nullptr) throw std::runtime_error("x = 3: needs an even number");
}

__global__ void launch_inside_a_kernel(float* out) { simt::launch({.blocks = 1, .threads = 32}, deadlock, out); }

template <void (*kernel)(float*)>
std::vector<float> run_barrier_fault() {
  simt::Buffer<float> out(simt::machine, "out", std::size_t{32});
  simt::launch({.blocks = 1, .threads = 32}, kernel, out.data());
  return out.values();
}

std::span<const Run> barrier_faults() {
  static constexpr Run runs[] = {
      {"barrier_in_a_branch", run_barrier_fault<barrier_in_a_branch>},
      {"barriers_on_two_lines", run_barrier_fault<barriers_on_two_lines>},
      {"barriers_of_two_kinds", run_barrier_fault<barriers_of_two_kinds>},
      {"barrier_after_a_return", run_barrier_fault<barrier_after_a_return>},
      {"return_before_a_barrier", run_barrier_fault<return_before_a_barrier>},
      {"barrier_in_a_loop_of_different_length", run_barrier_fault<barrier_in_a_loop_of_different_length>},
      {"deadlock", run_barrier_fault<deadlock>},
      {"exception_in_a_kernel", run_barrier_fault<exception_in_a_kernel>},
      {"launch_inside_a_kernel", run_barrier_fault<launch_inside_a_kernel>},
  };
  return runs;
}

}  // namespace assay::simt_laws::ASSAY_MACHINE
