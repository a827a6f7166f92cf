#pragma once

#include "properties/simt/kernels/run.hpp"
#include "simt/matrix_load.cuh"
#include "simt/mma.cuh"
#include "simt/simt.cuh"

// Kernels with one fault each, in how they use warp operations.

namespace assay::simt_laws::ASSAY_MACHINE {

inline constexpr unsigned all_lanes = 0xffffffff;

__global__ void whole_mask_in_half_a_warp(float* out) {
  float x = threadIdx.x;
  if (threadIdx.x < 16) x += __shfl_xor_sync(all_lanes, x, 1);
  out[threadIdx.x] = x;
}

/// The block has 16 threads.
__global__ void mask_of_missing_lanes(float* out) { out[threadIdx.x] = __shfl_sync(all_lanes, out[0], 0); }

__global__ void mask_without_the_caller(float* out) {
  out[threadIdx.x] = __shfl_sync(0x0000ffff, static_cast<float>(threadIdx.x), 0);
}

__global__ void shuffle_from_a_lane_outside_the_mask(float* out) {
  float x = threadIdx.x;
  if (threadIdx.x < 16) x = __shfl_down_sync(0x0000ffff, x, 1);
  out[threadIdx.x] = x;
}

__global__ void lanes_at_different_operations(float* out) {
  float x = threadIdx.x;
  if (threadIdx.x < 16)
    x = __shfl_xor_sync(all_lanes, x, 1);
  else
    x = __shfl_xor_sync(all_lanes, x, 2);
  out[threadIdx.x] = x;
}

__global__ void product_in_half_a_warp(float* out) {
  using Product = simt::Bf16Product;
  const auto a = simt::fragment_a<Product>([](int, int) { return 1.0f; });
  const auto b = simt::fragment_b<Product>([](int, int) { return 1.0f; });
  auto c = simt::zero_fragment<Product>();
  if (threadIdx.x < 16) c = simt::multiply_add(a, b, c);
  out[threadIdx.x] = c.element[0];
}

/// Rows of 20 elements: 40 bytes, not a multiple of 16.
__global__ void matrix_rows_out_of_line(float* out) {
  __shared__ __align__(16) Bf16 tile[16 * 20];
  for (int i = threadIdx.x; i < 16 * 20; i += 32) tile[i] = round_to<Bf16>(1.0f);
  __syncthreads();
  const auto a = simt::load_a<simt::Bf16Product>(tile, 20);
  out[threadIdx.x] = to_float(a.element[0]);
}

/// Rows past the end of the tile.
__global__ void matrix_rows_outside_the_tile(float* out) {
  __shared__ __align__(16) Bf16 tile[8 * 16];
  for (int i = threadIdx.x; i < 8 * 16; i += 32) tile[i] = round_to<Bf16>(1.0f);
  __syncthreads();
  const auto a = simt::load_a<simt::Bf16Product>(tile, 16);
  out[threadIdx.x] = to_float(a.element[0]);
}

/// No barrier between the writes of the tile and the load of its matrices.
__global__ void matrices_without_a_barrier(float* out) {
  __shared__ __align__(16) Bf16 tile[16 * 16];
  for (int i = threadIdx.x; i < 16 * 16; i += 32) tile[i] = round_to<Bf16>(1.0f);
  const auto a = simt::load_a<simt::Bf16Product>(tile, 16);
  out[threadIdx.x] = to_float(a.element[0]) + to_float(a.element[7]);
}

template <void (*kernel)(float*), int threads = 32>
std::vector<float> run_warp_fault() {
  simt::Buffer<float> out(simt::machine, "out", std::vector<float>(threads, 0));
  simt::launch({.blocks = 1, .threads = threads}, kernel, out.data());
  return out.values();
}

std::span<const Run> warp_faults() {
  static constexpr Run runs[] = {
      {"whole_mask_in_half_a_warp", run_warp_fault<whole_mask_in_half_a_warp>},
      {"mask_of_missing_lanes", run_warp_fault<mask_of_missing_lanes, 16>},
      {"mask_without_the_caller", run_warp_fault<mask_without_the_caller>},
      {"shuffle_from_a_lane_outside_the_mask", run_warp_fault<shuffle_from_a_lane_outside_the_mask>},
      {"lanes_at_different_operations", run_warp_fault<lanes_at_different_operations>},
      {"product_in_half_a_warp", run_warp_fault<product_in_half_a_warp>},
      {"matrix_rows_out_of_line", run_warp_fault<matrix_rows_out_of_line>},
      {"matrix_rows_outside_the_tile", run_warp_fault<matrix_rows_outside_the_tile>},
      {"matrices_without_a_barrier", run_warp_fault<matrices_without_a_barrier>},
  };
  return runs;
}

}  // namespace assay::simt_laws::ASSAY_MACHINE
