#pragma once

#include <vector>

#include "problem/machine_results.hpp"

// What each kernel file of this folder defines, once for every machine that it is compiled for. Where no device build
// is linked, the device's functions throw simt::Error.

namespace assay::kernels {

inline namespace host {
namespace machine {
/// Sums of products on tensor cores: every class of inputs in bf16, fp16 and tf32.
std::vector<MachineResults> mma_results();
/// Every function of simt/elementary.cuh on all floats.
std::vector<MachineResults> function_results();
/// Approximate instructions and CUDA's library on all floats.
std::vector<MachineResults> approximation_results();
/// The tables of approximate instructions: simt/approximate/table_inputs.hpp.
std::vector<MachineResults> table_results();
}  // namespace machine
}  // namespace host

inline namespace device {
namespace machine {
std::vector<MachineResults> mma_results();
/// The sums of mma_results in the same order, by wgmma.
std::vector<MachineResults> wgmma_results();
std::vector<MachineResults> function_results();
std::vector<MachineResults> approximation_results();
std::vector<MachineResults> table_results();
}  // namespace machine
}  // namespace device

}  // namespace assay::kernels
