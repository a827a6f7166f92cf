#pragma once

#include "simt/element.cuh"
#include "simt/fragment_layout.hpp"
#include "simt/simt.cuh"

#if defined(__CUDACC__)
#include "simt/device/mma.cuh"
#else
#include "simt/host/mma.hpp"
#endif

// Products of warp tiles, D [16,8] = A [16,k] B [k,8] + C, on tensor cores or exactly. A kernel is a template over the
// product: with FmaProduct<T> the same source runs in float32 and over fields.

namespace assay::simt {
inline namespace ASSAY_MACHINE {

/// mma.sync.m16n8k16 with bf16 or fp16 operands, or .m16n8k8 with tf32 ones, and float32 sums. A float operand is
/// rounded to T: to nearest even, tf32 as `rounding` says.
template <class T, Rounding rounding = Rounding::nearest_even>
struct TensorProduct {
  using Operand = T;
  using Accumulator = float;
  static constexpr int k = std::is_same_v<T, Tf32> ? 8 : 16;
  static constexpr int instructions = 1;
  using Layout = FragmentLayout<k>;

  template <class From>
  static __device__ __forceinline__ Operand operand(From x) {
    if constexpr (std::is_same_v<T, Tf32> && rounding == Rounding::toward_zero)
      return tf32_truncated(widen(x));
    else if constexpr (std::is_same_v<T, Tf32> && rounding == Rounding::nearest_away)
      return tf32_nearest_away(widen(x));
    else
      return convert<T>(x);
  }
};

using Bf16Product = TensorProduct<Bf16>;
using Fp16Product = TensorProduct<Fp16>;
template <Rounding rounding = Rounding::nearest_even>
using Tf32Product = TensorProduct<Tf32, rounding>;

/// x ≈ high + low, to 2^-22 |x| in the normal range.
struct Tf32Pair {
  Tf32 high;
  Tf32 low;
};

/// Three tf32 instructions for one product of floats: low·high, high·low, then high·high, into one accumulator.
struct ThreeTf32Product {
  using Operand = Tf32Pair;
  using Accumulator = float;
  static constexpr int k = 8;
  static constexpr int instructions = 3;
  using Layout = FragmentLayout<k>;

  static __device__ __forceinline__ Operand operand(float x) {
    const Tf32 high = tf32_nearest_away(x);
    return {high, tf32_nearest_away(x - to_float(high))};
  }
};

/// Every output is a chain of fma in the order of k, from C on: rounded as T rounds, exact in a field.
template <class T>
struct FmaProduct {
  using Operand = T;
  using Accumulator = T;
  static constexpr int k = 16;
  static constexpr int instructions = 0;  // of tensor cores
  using Layout = FragmentLayout<k>;

  template <class From>
  static __device__ __forceinline__ Operand operand(From x) {
    return convert<T>(x);
  }
};

/// A warp's tile A [16,k]: this lane's elements, packed as registers hold them.
template <class Product>
struct alignas(4) FragmentA {
  using Layout = typename Product::Layout;
  typename Product::Operand element[Layout::a_count];
};

/// A warp's tile B [k,8].
template <class Product>
struct alignas(4) FragmentB {
  using Layout = typename Product::Layout;
  typename Product::Operand element[Layout::b_count];
};

/// A warp's tile C or D [16,8].
template <class Product>
struct FragmentC {
  typename Product::Accumulator element[AccumulatorLayout::count];
};

/// A tile from value(row, column).
template <class Product, class Value>
__device__ __forceinline__ FragmentA<Product> fragment_a(Value value) {
  using Layout = typename Product::Layout;
  const int lane = lane_id();
  FragmentA<Product> a;
  for (int i = 0; i < Layout::a_count; ++i)
    a.element[i] = Product::operand(value(Layout::a_row(lane, i), Layout::a_column(lane, i)));
  return a;
}

template <class Product, class Value>
__device__ __forceinline__ FragmentB<Product> fragment_b(Value value) {
  using Layout = typename Product::Layout;
  const int lane = lane_id();
  FragmentB<Product> b;
  for (int i = 0; i < Layout::b_count; ++i)
    b.element[i] = Product::operand(value(Layout::b_row(lane, i), Layout::b_column(lane, i)));
  return b;
}

template <class Product, class Value>
__device__ __forceinline__ FragmentC<Product> fragment_c(Value value) {
  const int lane = lane_id();
  FragmentC<Product> c;
  for (int i = 0; i < AccumulatorLayout::count; ++i)
    c.element[i] = value(AccumulatorLayout::row(lane, i), AccumulatorLayout::column(lane, i));
  return c;
}

/// C = 0.
template <class Product>
__device__ __forceinline__ FragmentC<Product> zero_fragment() {
  return fragment_c<Product>([](int, int) { return typename Product::Accumulator(0); });
}

/// Calls use(row, column, element) for this lane's elements of the tile.
template <class Product, class Use>
__device__ __forceinline__ void for_each_element(const FragmentC<Product>& c, Use use) {
  const int lane = lane_id();
  for (int i = 0; i < AccumulatorLayout::count; ++i)
    use(AccumulatorLayout::row(lane, i), AccumulatorLayout::column(lane, i), c.element[i]);
}

/// A B + C. Every lane of the warp must come here together.
template <class T, Rounding rounding>
__device__ __forceinline__ FragmentC<TensorProduct<T, rounding>> multiply_add(
    const FragmentA<TensorProduct<T, rounding>>& a, const FragmentB<TensorProduct<T, rounding>>& b,
    FragmentC<TensorProduct<T, rounding>> c, Place place = Place::current()) {
  tensor_core_mma(a.element, b.element, c.element, place);
  return c;
}

__device__ __forceinline__ FragmentC<ThreeTf32Product> multiply_add(const FragmentA<ThreeTf32Product>& a,
                                                                    const FragmentB<ThreeTf32Product>& b,
                                                                    FragmentC<ThreeTf32Product> c,
                                                                    Place place = Place::current()) {
  Tf32 a_high[4], a_low[4], b_high[2], b_low[2];
  for (int i = 0; i < 4; ++i) a_high[i] = a.element[i].high, a_low[i] = a.element[i].low;
  for (int i = 0; i < 2; ++i) b_high[i] = b.element[i].high, b_low[i] = b.element[i].low;
  tensor_core_mma(a_low, b_high, c.element, place);
  tensor_core_mma(a_high, b_low, c.element, place);
  tensor_core_mma(a_high, b_high, c.element, place);
  return c;
}

template <class T>
__device__ __forceinline__ FragmentC<FmaProduct<T>> multiply_add(const FragmentA<FmaProduct<T>>& a,
                                                                 const FragmentB<FmaProduct<T>>& b,
                                                                 FragmentC<FmaProduct<T>> c,
                                                                 Place place = Place::current()) {
  fma_mma(a.element, b.element, c.element, place);
  return c;
}

}  // namespace ASSAY_MACHINE
}  // namespace assay::simt
