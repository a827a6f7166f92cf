#pragma once

#include <algorithm>

#include "simt/device/cuda_error.hpp"
#include "simt/device/poison.hpp"
#include "simt/machine_name.hpp"

namespace assay::simt::runtime {
inline namespace ASSAY_MACHINE {

constexpr unsigned poison_threads = 256;
constexpr unsigned most_poison_blocks = 64;
constexpr std::size_t memories_a_launch = 32;  // what fits among the arguments of a kernel

struct PoisonedRowsList {
  PoisonedRows memories[memories_a_launch];
};

/// to[i] = word for i < words.
// Grid: any. Block: any.
__global__ void poison_words(std::uint32_t* to, std::size_t words, std::uint32_t word) {
  const std::size_t stride = std::size_t(gridDim.x) * blockDim.x;
  for (std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < words; i += stride) to[i] = word;
}

/// Sets *changed if a byte of list.memories[y] outside the rows is not the poison's. Strip 0 lies before the rows,
/// strip i after row i - 1.
// Grid: (any, memories). Block: any.
__global__ void find_changed_poison(const __grid_constant__ PoisonedRowsList list, int* changed) {
  const PoisonedRows& m = list.memories[blockIdx.y];
  const auto* const bytes = reinterpret_cast<const unsigned char*>(m.map);
  for (std::size_t strip = blockIdx.x; strip <= m.rows.count; strip += gridDim.x) {
    const std::size_t from = strip == 0 ? 0 : m.pad + (strip - 1) * m.rows.stride + m.rows.length;
    const std::size_t to = strip == m.rows.count ? m.total : m.pad + strip * m.rows.stride;
    for (std::size_t i = from + threadIdx.x; i < to; i += blockDim.x)
      if (bytes[i] != static_cast<unsigned char>(m.poison >> (8 * (i % 4)))) *changed = 1;
  }
}

}  // namespace ASSAY_MACHINE

namespace {

/// A word of the host that the GPU can write. It lives as long as the process: CUDA may end before static objects do.
int* word_for_both() {
  static int* const word = [] {
    int* made = nullptr;
    require_success(cudaHostAlloc(&made, sizeof *made, cudaHostAllocMapped), "allocating memory for both machines");
    return made;
  }();
  return word;
}

unsigned blocks_for(std::size_t n) { return static_cast<unsigned>(std::clamp<std::size_t>(n, 1, most_poison_blocks)); }

}  // namespace

void poison_on_device(const PoisonedRows& memory) {
  const std::size_t words = memory.total / sizeof memory.poison;
  poison_words<<<blocks_for(words / poison_threads), poison_threads>>>(reinterpret_cast<std::uint32_t*>(memory.map),
                                                                       words, memory.poison);
  require_success(cudaGetLastError(), "poisoning memory");
}

void look_at_poison(std::span<const PoisonedRows> memories, std::string_view action) {
  int* const changed = word_for_both();
  *changed = 0;
  while (!memories.empty()) {
    const auto some = memories.first(std::min(memories.size(), memories_a_launch));
    PoisonedRowsList list{};
    std::ranges::copy(some, list.memories);
    const std::size_t strips = std::ranges::max(some, {}, [](const auto& m) { return m.rows.count; }).rows.count + 1;
    const dim3 grid(blocks_for(strips), static_cast<unsigned>(some.size()));
    find_changed_poison<<<grid, poison_threads>>>(list, changed);
    require_success(cudaGetLastError(), action);
    memories = memories.subspan(some.size());
  }
}

bool found_changed_poison() { return *static_cast<volatile int*>(word_for_both()) != 0; }

}  // namespace assay::simt::runtime
