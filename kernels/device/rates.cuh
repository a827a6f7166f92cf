#pragma once

#include "kernels/device/rates.hpp"
#include "simt/device/description.hpp"
#include "simt/device/recorded_launches.hpp"
#include "simt/mma.cuh"

// How fast a GPU copies, multiplies and adds at most.

namespace assay::kernels {
inline namespace ASSAY_MACHINE {
namespace rates {

constexpr int threads = 256;
constexpr int warps = threads / 32;
constexpr int blocks_a_multiprocessor = 2;
constexpr int chains = 8;  // of sums that do not wait for each other, a thread or warp
constexpr int steps = 1 << 14;
constexpr int words_a_thread = 4;
constexpr unsigned copy_blocks = 1 << 14;
constexpr std::size_t copied_words = std::size_t(copy_blocks) * threads * words_a_thread;  // 256 MiB

__global__ void empty() {}

/// to[i] = from[i] for copied_words words of 16 bytes.
// Grid: copy_blocks. Block: 256 threads.
__global__ void __launch_bounds__(threads) copy(const uint4* from, uint4* to) {
  const std::size_t first = std::size_t(blockIdx.x) * threads * words_a_thread + threadIdx.x;
  uint4 words[words_a_thread];
#pragma unroll
  for (int i = 0; i < words_a_thread; ++i) words[i] = from[first + i * threads];
#pragma unroll
  for (int i = 0; i < words_a_thread; ++i) to[first + i * threads] = words[i];
}

/// steps x chains multiply-adds a thread, summed to out[thread of the grid].
// Grid: any. Block: 256 threads.
__global__ void __launch_bounds__(threads) fma_chains(float factor, float addend, float* out) {
  float sums[chains];
#pragma unroll
  for (int i = 0; i < chains; ++i) sums[i] = static_cast<float>(threadIdx.x + i);
  for (int step = 0; step < steps; ++step)
#pragma unroll
    for (float& sum : sums) sum = fmaf(sum, factor, addend);
  float sum = 0;
  for (const float part : sums) sum = sum + part;
  out[blockIdx.x * threads + threadIdx.x] = sum;
}

/// steps x chains instructions a warp, summed to out[thread of the grid].
// Grid: any. Block: 256 threads.
template <class Product>
__global__ void __launch_bounds__(threads) mma_chains(float* out) {
  const auto value = [](int row, int column) { return static_cast<float>(1 + (row * 7 + column * 5) % 11) / 11; };
  const auto a = simt::fragment_a<Product>(value);
  simt::FragmentB<Product> b[chains];
  simt::FragmentC<Product> c[chains];
#pragma unroll
  for (int i = 0; i < chains; ++i) {
    b[i] = simt::fragment_b<Product>(value);
    c[i] = simt::zero_fragment<Product>();
  }
  for (int step = 0; step < steps; ++step) simt::multiply_add(a, b, c);
  float sum = 0;
  for (int i = 0; i < chains; ++i)
    for (const float part : c[i].element) sum = sum + part;
  out[blockIdx.x * threads + threadIdx.x] = sum;
}

template <class Launch>
double seconds_of(Launch launch) {
  const simt::RecordedLaunches recorded;
  launch();
  return recorded.times().graph;
}

/// Operations a second of a kernel that does so many a thread.
template <class... Parameters, class... Arguments>
double operations_a_second(double of_a_thread, void (*kernel)(Parameters...), Arguments... arguments) {
  const auto blocks = static_cast<unsigned>(blocks_a_multiprocessor * simt::describe_device().multiprocessors);
  auto out = simt::workspace<float>("out", std::size_t(blocks) * threads);
  const double seconds = seconds_of(
      [&] { simt::launch({.blocks = dim3(blocks), .threads = dim3(threads)}, kernel, arguments..., out.data()); });
  return of_a_thread * threads * blocks / seconds;
}

template <class Product>
double mma_operations() {
  constexpr double of_a_warp = 2.0 * 16 * 8 * Product::k * chains * steps;
  return operations_a_second(of_a_warp / 32, mma_chains<Product>);
}

inline double copied_bytes() {
  auto from = simt::workspace<uint4>("from", copied_words), to = simt::workspace<uint4>("to", copied_words);
  const double seconds = seconds_of(
      [&] { simt::launch({.blocks = dim3(copy_blocks), .threads = dim3(threads)}, copy, from.data(), to.data()); });
  return 2.0 * copied_words * sizeof(uint4) / seconds;
}

}  // namespace rates
}  // namespace ASSAY_MACHINE

DeviceRates measure_device_rates() {
  constexpr float factor = 0x1.fffp-1f, addend = 0x1p-10f;
  return {.copied_bytes = rates::copied_bytes(),
          .fma_operations =
              rates::operations_a_second(2.0 * rates::chains * rates::steps, rates::fma_chains, factor, addend),
          .tf32_operations = rates::mma_operations<simt::Tf32Product<>>(),
          .bf16_operations = rates::mma_operations<simt::Bf16Product>(),
          .cache_bytes = simt::describe_device().cache_bytes};
}

void launch_empty_kernel() { simt::launch({.blocks = dim3(1), .threads = dim3(1)}, rates::empty); }

}  // namespace assay::kernels
