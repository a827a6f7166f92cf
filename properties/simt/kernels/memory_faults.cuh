#pragma once

#include "properties/simt/kernels/run.hpp"
#include "simt/simt.cuh"

// Kernels with one fault each, in how they use memory.

namespace assay::simt_laws::ASSAY_MACHINE {

/// Runs kernel(in [128], out [n]) with `threads` threads a block.
inline std::vector<float> run_on(void (*kernel)(const float*, float*), simt::Grid grid, std::size_t outputs) {
  const simt::Buffer<float> in(simt::machine, "in", values(128, 1));
  simt::Buffer<float> out(simt::machine, "out", outputs);
  simt::launch(grid, kernel, in.data(), out.data());
  return out.values();
}

/// No barrier between the write of s[t] and the read of s[127 - t].
__global__ void reverse_without_barrier(const float* in, float* out) {
  __shared__ float s[128];
  const int t = threadIdx.x;
  s[t] = in[t];
  out[t] = s[127 - t];
}

/// No barrier after thread 0 writes. Right when threads run in order.
__global__ void broadcast_without_barrier(const float* in, float* out) {
  __shared__ float first;
  const int t = threadIdx.x;
  if (t == 0) first = in[0];
  out[t] = first + in[t];
}

/// No barrier between the reads of one tile and the writes of the next. A = in [8,8], out = A A.
__global__ void gemm_without_second_barrier(const float* in, float* out) {
  constexpr int tile = 4, n = 8;
  __shared__ float a[tile][tile];
  __shared__ float b[tile][tile];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int row = blockIdx.y * tile + y;
  const int column = blockIdx.x * tile + x;
  float sum = 0;
  for (int k0 = 0; k0 < n; k0 += tile) {
    a[y][x] = in[row * n + k0 + x];
    b[y][x] = in[(k0 + y) * n + column];
    __syncthreads();
    for (int k = 0; k < tile; ++k) sum = fmaf(a[y][k], b[k][x], sum);
  }
  out[row * n + column] = sum;
}

/// No barrier between the read of s[t + 1] and its write by thread t + 1. Right when threads run in order.
__global__ void shift_without_barrier(const float* in, float* out) {
  __shared__ float s[129];
  const int t = threadIdx.x;
  s[t] = in[t];
  if (t == 0) s[128] = 0;
  __syncthreads();
  const float next = s[t + 1];
  s[t] = next;
  __syncthreads();
  out[t] = s[t];
}

/// Lanes of one warp trust each other without __syncwarp.
__global__ void warp_sum_without_syncwarp(const float* in, float* out) {
  __shared__ volatile float s[64];
  const int t = threadIdx.x;
  s[t] = in[t];
  s[t + 32] = 0;
  for (int half = 16; half > 0; half /= 2) s[t] = s[t] + s[t + half];
  if (t == 0) out[0] = s[0];
}

/// A halo of one: the left cell of block 0 is never written, and fmaxf hides a NaN.
__global__ void halo_never_written(const float* in, float* out) {
  __shared__ float s[34];
  const int t = threadIdx.x;
  const int i = blockIdx.x * 32 + t;
  s[t + 1] = in[i];
  if (t == 0 && i > 0) s[0] = in[i - 1];
  if (t == 31) s[33] = i + 1 < 128 ? in[i + 1] : 0;
  __syncthreads();
  out[i] = fmaxf(fmaxf(s[t], s[t + 1]), s[t + 2]);
}

/// in[128] is read.
__global__ void read_past_the_end(const float* in, float* out) {
  const int t = threadIdx.x;
  out[t] = in[t] + in[t + 1] * 0;
}

/// out has one element less than there are threads.
__global__ void write_past_the_end(const float* in, float* out) { out[threadIdx.x] = in[threadIdx.x]; }

__global__ void write_before_the_start(const float* in, float* out) {
  out[static_cast<int>(threadIdx.x) - 1] = in[threadIdx.x];
}

/// A pointer that points nowhere.
__global__ void write_to_nowhere(const float* in, float* out) {
  out[(std::ptrdiff_t{1} << 40) + threadIdx.x] = in[threadIdx.x];
}

/// Element 3 of rows that are 3 long and 4 apart.
__global__ void read_a_gap(const float* in, float* out) { out[threadIdx.x] = in[threadIdx.x * 4 + 3]; }
__global__ void write_a_gap(float* out) { out[threadIdx.x * 4 + 3] = 1; }

inline std::vector<float> run_read_a_gap() {
  simt::Buffer<float> in(simt::machine, "in", simt::Rows{8, 3, 4});
  in.set(values(24, 1));
  simt::Buffer<float> out(simt::machine, "out", std::size_t{7});
  simt::launch({.blocks = 1, .threads = 7}, read_a_gap, in.data(), out.data());
  return out.values();
}

inline std::vector<float> run_write_a_gap() {
  simt::Buffer<float> out(simt::machine, "out", simt::Rows{8, 3, 4});
  simt::launch({.blocks = 1, .threads = 7}, write_a_gap, out.data());
  return out.values();
}

/// One element more than the launch asked for.
__global__ void overrun_dynamic_shared(const float* in, float* out) {
  float* const s = simt::dynamic_shared<float>();
  s[threadIdx.x + 1] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x + 1];
}

/// An index past s lands outside every array.
__global__ void overrun_static_shared(const float* in, float* out) {
  __shared__ float s[32];
  const int past = in == nullptr ? 0 : 1 << 12;
  out[threadIdx.x] = *(s + past + threadIdx.x);
}

__device__ float sum_in_helper(float x) {
  __shared__ float s[32];
  s[threadIdx.x] = x;
  __syncthreads();
  return s[31 - threadIdx.x];
}

/// The array is declared in a helper, where neither poison nor reports can find it.
__global__ void shared_array_in_a_helper(const float* in, float* out) {
  out[threadIdx.x] = sum_in_helper(in[threadIdx.x]);
}

/// Two blocks add to one cell without atomics.
__global__ void blocks_add_to_one_cell(const float* in, float* out) {
  if (threadIdx.x == 0) out[0] = (blockIdx.x == 0 ? 0 : out[0]) + in[blockIdx.x];
}

/// One thread adds atomically, another writes plainly.
__global__ void atomic_meets_plain_write(const float* in, float* out) {
  if (threadIdx.x == 0) out[0] = in[0];
  if (threadIdx.x == 1) atomicAdd(&out[0], in[1]);
}

/// Half of the outputs are left as they were.
__global__ void outputs_left_unwritten(const float* in, float* out) {
  if (threadIdx.x % 2 == 0) out[threadIdx.x] = in[threadIdx.x];
}

/// Cells of a local array that nobody has written.
__global__ void local_array_never_written(const float* in, float* out) {
  volatile float local[64];
  local[0] = in[threadIdx.x];
  out[threadIdx.x] = local[threadIdx.x];
}

__device__ float descend(const float* in, int depth) {
  volatile float frame[1024];
  frame[0] = in[depth % 128];
  return depth == 0 ? frame[0] : descend(in, depth - 1) + frame[0];
}

/// 100 frames of 4 KB.
__global__ void call_stack_overflow(const float* in, float* out) { out[threadIdx.x] = descend(in, 100); }

__global__ void divide_by_zero(const float* in, float* out) {
  volatile int zero = in == nullptr ? 1 : 0;
  out[0] = static_cast<float>(7 / zero);
}

template <void (*kernel)(const float*, float*), int threads, int outputs = threads, int blocks = 1, int shared = 0>
std::vector<float> run_memory_fault() {
  return run_on(kernel, {.blocks = blocks, .threads = threads, .shared_bytes = shared}, outputs);
}

inline std::vector<float> run_gemm_without_second_barrier() {
  return run_on(gemm_without_second_barrier, {.blocks = {2, 2}, .threads = {4, 4}}, 64);
}

std::span<const Run> memory_faults() {
  static constexpr Run runs[] = {
      {"reverse_without_barrier", run_memory_fault<reverse_without_barrier, 128>},
      {"broadcast_without_barrier", run_memory_fault<broadcast_without_barrier, 128>},
      {"shift_without_barrier", run_memory_fault<shift_without_barrier, 128>},
      {"gemm_without_second_barrier", run_gemm_without_second_barrier},
      {"warp_sum_without_syncwarp", run_memory_fault<warp_sum_without_syncwarp, 32, 1>},
      {"halo_never_written", run_memory_fault<halo_never_written, 32, 128, 4>},
      {"read_past_the_end", run_memory_fault<read_past_the_end, 128>},
      {"write_past_the_end", run_memory_fault<write_past_the_end, 128, 127>},
      {"write_before_the_start", run_memory_fault<write_before_the_start, 128>},
      {"write_to_nowhere", run_memory_fault<write_to_nowhere, 32>},
      {"read_a_gap", run_read_a_gap},
      {"write_a_gap", run_write_a_gap},
      {"overrun_dynamic_shared", run_memory_fault<overrun_dynamic_shared, 32, 32, 1, 128>},
      {"overrun_padded_dynamic_shared", run_memory_fault<overrun_dynamic_shared, 30, 30, 1, 120>},
      {"overrun_static_shared", run_memory_fault<overrun_static_shared, 32>},
      {"shared_array_in_a_helper", run_memory_fault<shared_array_in_a_helper, 32>},
      {"blocks_add_to_one_cell", run_memory_fault<blocks_add_to_one_cell, 32, 1, 2>},
      {"atomic_meets_plain_write", run_memory_fault<atomic_meets_plain_write, 32, 1>},
      {"outputs_left_unwritten", run_memory_fault<outputs_left_unwritten, 32>},
      {"local_array_never_written", run_memory_fault<local_array_never_written, 32>},
      {"call_stack_overflow", run_memory_fault<call_stack_overflow, 32>},
      {"divide_by_zero", run_memory_fault<divide_by_zero, 1>},
  };
  return runs;
}

}  // namespace assay::simt_laws::ASSAY_MACHINE
