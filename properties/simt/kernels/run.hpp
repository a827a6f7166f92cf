#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace assay::simt_laws {

/// A kernel with inputs of its own: launches it on the machine that it was built for and returns its outputs.
struct Run {
  std::string_view name;
  std::vector<float> (*outputs)();
};

/// The runs of one machine, by file of this folder.
namespace host {
std::span<const Run> correct_runs();
std::span<const Run> memory_faults();
std::span<const Run> barrier_faults();
std::span<const Run> warp_faults();
std::span<const Run> copy_faults();
}  // namespace host

namespace checked {
std::span<const Run> correct_runs();
std::span<const Run> memory_faults();
std::span<const Run> barrier_faults();
std::span<const Run> warp_faults();
std::span<const Run> copy_faults();
}  // namespace checked

namespace device {
std::span<const Run> correct_runs();
std::span<const Run> device_faults();
}  // namespace device

/// Repeatable values in [-1, 1) with 10 significant bits: products and short sums of them are exact.
inline std::vector<float> values(std::size_t count, unsigned seed) {
  std::vector<float> result(count);
  for (float& x : result) {
    seed = seed * 1664525 + 1013904223;
    x = (static_cast<int>(seed >> 21) - 1024) * 0x1p-10f;
  }
  return result;
}

}  // namespace assay::simt_laws
