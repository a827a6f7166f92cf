#pragma once

#include "kernels/machine/function_list.cuh"
#include "kernels/machine/function_results.cuh"

namespace assay::kernels {
inline namespace ASSAY_MACHINE {
namespace machine {

std::vector<MachineResults> function_results() {
  std::vector<MachineResults> all;
  elementary::functions::for_each_function([&]<class F>(F) { all.push_back(results_of<F>()); });
  return all;
}

}  // namespace machine
}  // namespace ASSAY_MACHINE
}  // namespace assay::kernels
