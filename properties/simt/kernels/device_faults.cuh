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

/// One element past the end.
__global__ void write_past_the_end(float* out) { out[1] = 1; }

template <void (*kernel)(float*)>
std::vector<float> run_alone() {
  simt::Buffer<float> out(simt::machine, "out", std::vector<float>{1});
  simt::launch({.blocks = 1, .threads = 1}, kernel, out.data());
  return out.values();
}

std::span<const Run> device_faults() {
  static const Run runs[] = {{"write_far_away", run_alone<write_far_away>},
                             {"wait_for_ever", run_alone<wait_for_ever>},
                             {"write_past_the_end", run_alone<write_past_the_end>}};
  return runs;
}

}  // namespace assay::simt_laws::ASSAY_MACHINE
