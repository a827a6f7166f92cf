#pragma once

#include "properties/simt/kernels/run.hpp"
#include "simt/simt.cuh"

// Kernels that a GPU gives up on, or that write where they must not.

namespace assay::simt_laws::ASSAY_MACHINE {

/// An address that no buffer is near.
__global__ void write_far_away(float* out) { out[std::int64_t(1) << 40] = 1; }

/// Waits for a word that nobody writes.
__global__ void wait_for_ever(float* out) {
  const volatile float* const word = out;
  while (word[0] != 0) {
  }
}

/// Past the end of one row of one element; in the gap behind the first of two.
__global__ void write_second(float* out) { out[1] = 1; }

__global__ void write_before_the_start(float* out) { out[-1] = 1; }

/// On rows of one element that lie two apart.
template <void (*kernel)(float*), std::size_t rows = 1>
std::vector<float> run_alone() {
  simt::Buffer<float> out(simt::machine, "out", simt::Rows{rows, 1, 2});
  out.set(std::vector<float>(rows, 1));
  simt::launch({.blocks = 1, .threads = 1}, kernel, out.data());
  return out.values();
}

std::span<const Run> device_faults() {
  static const Run runs[] = {{"write_far_away", run_alone<write_far_away>},
                             {"wait_for_ever", run_alone<wait_for_ever>},
                             {"write_past_the_end", run_alone<write_second>},
                             {"write_in_a_gap", run_alone<write_second, 2>},
                             {"write_before_the_start", run_alone<write_before_the_start>}};
  return runs;
}

}  // namespace assay::simt_laws::ASSAY_MACHINE
