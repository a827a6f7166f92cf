#include "simt/host/mma.hpp"

#include <algorithm>

#include "arith/tensor_core.hpp"

namespace assay::simt::runtime {

template <class T>
void combine_tensor_core_mma(void* const* lanes, std::uint32_t) {
  constexpr int k = tensor_core::block_length<T>;
  using Layout = FragmentLayout<k>;
  T a[16 * k];
  T b[8 * k];  // column-major: column n of B is contiguous
  float c[16 * 8];
  const auto lane_at = [&](int lane, int product) -> const MmaLane<T, float>& {
    return static_cast<const MmaLanes<T, float>*>(lanes[lane])->products[product];
  };
  const auto index_of_c = [](int lane, int i) {
    return AccumulatorLayout::row(lane, i) * 8 + AccumulatorLayout::column(lane, i);
  };
  constexpr int run = Layout::run, run_of_c = AccumulatorLayout::run;
  const int count = static_cast<const MmaLanes<T, float>*>(lanes[0])->count;
  for (int product = 0; product < count; ++product) {
    const bool same_a = product > 0 && lane_at(0, product).a == lane_at(0, product - 1).a;
    for (int lane = 0; lane < 32; ++lane) {
      const MmaLane<T, float>& mine = lane_at(lane, product);
      for (int i = 0; i < Layout::a_count && !same_a; i += run)
        std::copy_n(mine.a + i, run, a + Layout::a_row(lane, i) * k + Layout::a_column(lane, i));
      for (int i = 0; i < Layout::b_count; i += run)
        std::copy_n(mine.b + i, run, b + Layout::b_column(lane, i) * k + Layout::b_row(lane, i));
      for (int i = 0; i < AccumulatorLayout::count; i += run_of_c)
        std::copy_n(mine.c + i, run_of_c, c + index_of_c(lane, i));
    }
    tensor_core::mma_m16n8<T>(a, b, c, c);
    for (int lane = 0; lane < 32; ++lane)
      for (int i = 0; i < AccumulatorLayout::count; i += run_of_c)
        std::copy_n(c + index_of_c(lane, i), run_of_c, lane_at(lane, product).c + i);
    count_macs(16 * 8 * k, true);
  }
}

template void combine_tensor_core_mma<Bf16>(void* const*, std::uint32_t);
template void combine_tensor_core_mma<Fp16>(void* const*, std::uint32_t);
template void combine_tensor_core_mma<Tf32>(void* const*, std::uint32_t);

}  // namespace assay::simt::runtime
