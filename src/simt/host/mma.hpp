#pragma once

#include <cstdint>
#include <type_traits>

#include "arith/float_format.hpp"
#include "simt/element.cuh"
#include "simt/fragment_layout.hpp"
#include "simt/host/machine.hpp"

namespace assay::simt {
namespace runtime {

/// One lane's part of a tile product: c becomes D.
template <class T, class C>
struct MmaLane {
  const T* a;
  const T* b;
  C* c;
};

/// One lane's part of products that follow each other.
template <class T, class C>
struct MmaLanes {
  const MmaLane<T, C>* products;
  int count;
};

/// D = A B + C by the model of the tensor core, one product after the other, for T = Bf16, Fp16 or Tf32; C [16,8] is
/// float.
template <class T>
void combine_tensor_core_mma(void* const* lanes, std::uint32_t mask);

extern template void combine_tensor_core_mma<Bf16>(void* const*, std::uint32_t);
extern template void combine_tensor_core_mma<Fp16>(void* const*, std::uint32_t);
extern template void combine_tensor_core_mma<Tf32>(void* const*, std::uint32_t);

/// D [16,8] += A [16,16] B [16,8], every output a chain of fma in the order of k, one product after the other.
template <class T>
__attribute__((no_sanitize_thread)) void combine_fma_mma(void* const* lanes, std::uint32_t) {
  using Layout = FragmentLayout<16>;
  T a[16][16];
  T b[16][8];
  const int count = static_cast<const MmaLanes<T, T>*>(lanes[0])->count;
  for (int p = 0; p < count; ++p) {
    const auto lane_at = [&](int lane) -> const MmaLane<T, T>& {
      return static_cast<const MmaLanes<T, T>*>(lanes[lane])->products[p];
    };
    for (int lane = 0; lane < 32; ++lane) {
      for (int i = 0; i < Layout::a_count; ++i)
        a[Layout::a_row(lane, i)][Layout::a_column(lane, i)] = lane_at(lane).a[i];
      for (int i = 0; i < Layout::b_count; ++i)
        b[Layout::b_row(lane, i)][Layout::b_column(lane, i)] = lane_at(lane).b[i];
    }
    for (int lane = 0; lane < 32; ++lane)
      for (int i = 0; i < AccumulatorLayout::count; ++i) {
        const int row = AccumulatorLayout::row(lane, i);
        const int column = AccumulatorLayout::column(lane, i);
        T sum = lane_at(lane).c[i];
        for (int k = 0; k < 16; ++k) sum = multiply_add(a[row][k], b[k][column], sum);
        lane_at(lane).c[i] = sum;
      }
    count_macs(16 * 8 * 16, false);
  }
}

}  // namespace runtime

inline namespace ASSAY_MACHINE {

inline constexpr unsigned whole_warp = 0xffffffff;

/// Products of one warp that follow each other: the lanes meet once for all of them.
template <class T, class C, int capacity>
class WarpProducts {
 public:
  explicit WarpProducts(Place place) : place_(place) {}
  ~WarpProducts() = default;
  WarpProducts(const WarpProducts&) = delete;
  WarpProducts& operator=(const WarpProducts&) = delete;

  /// c becomes a b + c; all three live until run().
  void add(const T* a, const T* b, C* c) { products_[count_++] = {a, b, c}; }

  void run() {
    runtime::MmaLanes<T, C> lanes = {products_, count_};
    if constexpr (std::is_same_v<T, C>)
      runtime::meet("a tile product", whole_warp, &lanes, runtime::combine_fma_mma<T>, place_);
    else
      runtime::meet("mma.sync", whole_warp, &lanes, runtime::combine_tensor_core_mma<T>, place_);
  }

 private:
  runtime::MmaLane<T, C> products_[capacity];
  int count_ = 0;
  Place place_;
};

}  // namespace ASSAY_MACHINE
}  // namespace assay::simt
