#pragma once

#include "kernels/machine/tensor_core_results.cuh"

namespace assay::kernels {
inline namespace ASSAY_MACHINE {
namespace machine {

/// Four mma.sync a tile, one a warp.
// Grid: blocks of results. Block: 128 threads.
template <class T>
__global__ void __launch_bounds__(block_threads) mma_results_kernel(TensorCoreClass kind, Answer to) {
  using Product = simt::TensorProduct<T>;
  answer<T>(kind, to, [](const Inputs<T>& inputs) {
    using Layout = typename Product::Layout;
    simt::FragmentB<Product> b;
    for (int i = 0; i < Layout::b_count; ++i)
      b.element[i] = inputs.b(Layout::b_row(simt::lane_id(), i), Layout::b_column(simt::lane_id(), i));
    return simt::multiply_add(fragment_a<T>(inputs), b, fragment_c<T>(inputs));
  });
}

std::vector<MachineResults> mma_results() {
  std::vector<MachineResults> all;
  append_results<Bf16>(all, "mma.m16n8k16", mma_results_kernel<Bf16>);
  append_results<Fp16>(all, "mma.m16n8k16", mma_results_kernel<Fp16>);
  append_results<Tf32>(all, "mma.m16n8k8", mma_results_kernel<Tf32>);
  return all;
}

}  // namespace machine
}  // namespace ASSAY_MACHINE
}  // namespace assay::kernels
