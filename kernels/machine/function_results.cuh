#pragma once

#include <string>
#include <vector>

#include "kernels/machine/counter.cuh"
#include "kernels/machine/inputs_text.hpp"
#include "problem/machine_results.hpp"
#include "simt/simt.cuh"

// Functions of one float on all 2^32 of them, kept as digests. Every block has floats of every size: input_of.

namespace assay::kernels {
inline namespace ASSAY_MACHINE {
namespace machine {

inline constexpr unsigned function_threads = 128;
inline constexpr std::uint32_t inputs_a_thread = 8192;
inline constexpr std::uint64_t inputs_a_block = std::uint64_t{function_threads} * inputs_a_thread;
static_assert(inputs_a_block * generated::blocks_of_inputs == std::uint64_t{1} << 32);

/// digests [blocks, function_threads]: the digest of a block is the sum of its row. outputs [inputs_a_block]: of one
/// block, where it is not null.
// Grid: blocks of results. Block: 128 threads.
template <class F>
__global__ void __launch_bounds__(function_threads)
    function_results_kernel(std::uint64_t first, unsigned long long* digests, std::uint32_t* outputs) {
  const auto block = static_cast<std::uint32_t>(first) + blockIdx.x;
  const std::uint32_t begin = threadIdx.x * inputs_a_thread, end = begin + inputs_a_thread;
  unsigned long long sum = 0;
  for (std::uint32_t i = begin; i < end; ++i) {
    const std::uint32_t x = generated::input_of(block, i);
    sum += generated::digest_of(x, float_bits(F::value(float_from_bits(x))));
  }
  digests[blockIdx.x * function_threads + threadIdx.x] = sum;
  if (!outputs) return;
  for (std::uint32_t i = begin; i < end; ++i)
    outputs[i] = float_bits(F::value(float_from_bits(generated::input_of(block, i))));
}

template <class F>
std::vector<std::uint64_t> function_digests(std::uint64_t first, std::uint64_t count) {
  simt::Buffer<unsigned long long> digests = simt::workspace<unsigned long long>("digests", count * function_threads);
  simt::launch({.blocks = static_cast<unsigned>(count), .threads = function_threads}, function_results_kernel<F>, first,
               digests.data(), nullptr);
  const std::vector<unsigned long long> parts = digests.values();
  std::vector<std::uint64_t> sums(count);
  for (std::size_t i = 0; i < parts.size(); ++i) sums[i / function_threads] += parts[i];
  return sums;
}

template <class F>
std::vector<std::uint32_t> function_outputs(std::uint64_t block) {
  simt::Buffer<unsigned long long> digests = simt::workspace<unsigned long long>("digests", function_threads);
  simt::Buffer<std::uint32_t> outputs = simt::workspace<std::uint32_t>("outputs", inputs_a_block);
  simt::launch({.blocks = 1, .threads = function_threads}, function_results_kernel<F>, block, digests.data(),
               outputs.data());
  return outputs.values();
}

template <class F>
MachineResults results_of() {
  return {.subject = std::string(F::name),
          .format = "f32",
          .blocks = generated::blocks_of_inputs,
          .block_size = inputs_a_block,
          .digests = function_digests<F>,
          .bits = function_outputs<F>,
          .inputs = generated::input_text};
}

}  // namespace machine
}  // namespace ASSAY_MACHINE
}  // namespace assay::kernels
