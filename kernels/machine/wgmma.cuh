#pragma once

#include "kernels/machine/tensor_core_results.cuh"
#include "simt/device/wgmma.cuh"

// For the device alone.

namespace assay::kernels {
inline namespace ASSAY_MACHINE {
namespace machine {

/// The sums of mma_results, one wgmma a tile.
// Grid: blocks of results. Block: 128 threads.
template <class T>
__global__ void __launch_bounds__(block_threads) wgmma_results_kernel(TensorCoreClass kind, Answer to) {
  constexpr int K = products_a_sum<T>;
  __shared__ __align__(128) T b[K * tile_columns];
  answer<T>(kind, to, [&](const Inputs<T>& inputs) {
    const int k = static_cast<int>(threadIdx.x) / tile_columns, column = static_cast<int>(threadIdx.x) % tile_columns;
    __syncthreads();  // the tile before has been read
    if (k < K) b[simt::wgmma_b_index<T>(k, column)] = inputs.b(k, column);
    const auto a = fragment_a<T>(inputs);
    auto c = fragment_c<T>(inputs);
    simt::warpgroup_multiply_add(a.element, b, c.element);
    return c;
  });
}

std::vector<MachineResults> wgmma_results() {
  std::vector<MachineResults> all;
  append_results<Bf16>(all, "wgmma.m64n8k16", wgmma_results_kernel<Bf16>);
  append_results<Fp16>(all, "wgmma.m64n8k16", wgmma_results_kernel<Fp16>);
  append_results<Tf32>(all, "wgmma.m64n8k8", wgmma_results_kernel<Tf32>);
  return all;
}

}  // namespace machine
}  // namespace ASSAY_MACHINE
}  // namespace assay::kernels
