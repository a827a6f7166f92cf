#pragma once

#include <string>
#include <vector>

#include "kernels/machine/counter.cuh"
#include "kernels/machine/inputs_text.hpp"
#include "kernels/machine/tile_inputs.cuh"
#include "problem/machine_results.hpp"
#include "simt/mma.cuh"

// Sums of products on tensor cores, an instruction's tiles one after the other, made from counters and kept as digests.

namespace assay::kernels {
inline namespace ASSAY_MACHINE {
namespace machine {

using namespace generated;

inline constexpr int block_threads = 128;
inline constexpr int block_warps = 4;
inline constexpr std::uint64_t tiles_a_block = 128;
inline constexpr std::uint64_t outputs_a_block = tiles_a_block * tile_outputs;
inline constexpr std::uint64_t blocks_a_class = 1024;

template <class T>
inline constexpr int products_a_sum = simt::TensorProduct<T>::k;

template <class T>
using Inputs = TileInputs<T, products_a_sum<T>>;

/// This thread's warp in its block: it has rows 16 warp … 16 warp + 15 of a tile.
__device__ __forceinline__ int warp_id() { return static_cast<int>(threadIdx.x) / 32; }

template <class T>
__device__ __forceinline__ simt::FragmentA<simt::TensorProduct<T>> fragment_a(const Inputs<T>& inputs) {
  using Product = simt::TensorProduct<T>;
  using Layout = typename Product::Layout;
  const int lane = simt::lane_id();
  simt::FragmentA<Product> a;
  for (int i = 0; i < Layout::a_count; ++i)
    a.element[i] = inputs.a(16 * warp_id() + Layout::a_row(lane, i), Layout::a_column(lane, i));
  return a;
}

template <class T>
__device__ __forceinline__ simt::FragmentC<simt::TensorProduct<T>> fragment_c(const Inputs<T>& inputs) {
  return simt::fragment_c<simt::TensorProduct<T>>(
      [&](int row, int column) { return inputs.c(16 * warp_id() + row, column); });
}

/// Calls use(number within the block, bits) for this thread's outputs of a block of tiles; multiply(inputs) gives this
/// warp's 16 rows of a tile.
template <class T, class Multiply, class Use>
__device__ void for_each_output(const TensorCoreClass& kind, std::uint64_t block, Multiply multiply, Use use) {
  for (std::uint64_t tile = 0; tile < tiles_a_block; ++tile) {
    const auto d = multiply(Inputs<T>(kind, block * tiles_a_block + tile));
    simt::for_each_element(d, [&](int row, int column, float x) {
      const int output = (16 * warp_id() + row) * tile_columns + column;
      use(static_cast<std::uint32_t>(tile) * tile_outputs + static_cast<std::uint32_t>(output), float_bits(x));
    });
  }
}

/// digests [blocks, block_warps]: the digest of a block is the sum of its row. outputs [outputs_a_block]: of one block,
/// where it is not null.
struct Answer {
  std::uint64_t first;
  unsigned long long* digests;
  std::uint32_t* outputs;
};

template <class T, class Multiply>
__device__ void answer(const TensorCoreClass& kind, const Answer& to, Multiply multiply) {
  const std::uint64_t block = to.first + blockIdx.x;
  const auto start = static_cast<std::uint32_t>(block * outputs_a_block);
  unsigned long long sum = 0;
  for_each_output<T>(kind, block, multiply, [&](std::uint32_t output, std::uint32_t bits) {
    sum += digest_of(start + output, bits);
    if (to.outputs) to.outputs[output] = bits;
  });
  for (int flip = 16; flip > 0; flip /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, flip);
  if (simt::lane_id() == 0) to.digests[blockIdx.x * block_warps + static_cast<unsigned>(warp_id())] = sum;
}

using AnswerKernel = void (*)(TensorCoreClass, Answer);

inline std::vector<std::uint64_t> digests_of(AnswerKernel kernel, const TensorCoreClass& kind, std::uint64_t first,
                                             std::uint64_t count) {
  simt::Buffer<unsigned long long> digests = simt::workspace<unsigned long long>("digests", count * block_warps);
  simt::launch({.blocks = static_cast<unsigned>(count), .threads = block_threads}, kernel, kind,
               Answer{first, digests.data(), nullptr});
  const std::vector<unsigned long long> parts = digests.values();
  std::vector<std::uint64_t> sums(count);
  for (std::size_t i = 0; i < parts.size(); ++i) sums[i / block_warps] += parts[i];
  return sums;
}

inline std::vector<std::uint32_t> outputs_of(AnswerKernel kernel, const TensorCoreClass& kind, std::uint64_t block) {
  simt::Buffer<unsigned long long> digests = simt::workspace<unsigned long long>("digests", block_warps);
  simt::Buffer<std::uint32_t> outputs = simt::workspace<std::uint32_t>("outputs", outputs_a_block);
  simt::launch({.blocks = 1, .threads = block_threads}, kernel, kind, Answer{block, digests.data(), outputs.data()});
  return outputs.values();
}

/// The results of one kernel on every class.
template <class T>
void append_results(std::vector<MachineResults>& all, const std::string& instruction, AnswerKernel kernel) {
  for (const TensorCoreClass& kind : tensor_core_classes())
    all.push_back({.subject = std::string(kind.name),
                   .format = std::string(format_of<T>.name),
                   .instruction = instruction,
                   .blocks = blocks_a_class,
                   .block_size = outputs_a_block,
                   .digests = [&kind, kernel](std::uint64_t first,
                                              std::uint64_t count) { return digests_of(kernel, kind, first, count); },
                   .bits = [&kind, kernel](std::uint64_t block) { return outputs_of(kernel, kind, block); },
                   .inputs = [&kind](std::uint64_t index) { return generated::inputs_text<T>(kind, index); }});
}

}  // namespace machine
}  // namespace ASSAY_MACHINE
}  // namespace assay::kernels
