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

/// C[i] becomes A B[i] + C[i]. Every lane of the warp must come here together.
template <class Product, int n>
__device__ __forceinline__ void multiply_add(const FragmentA<Product>& a, const FragmentB<Product> (&b)[n],
                                             FragmentC<Product> (&c)[n], Place place = Place::current()) {
  WarpProducts<typename Product::Operand, typename Product::Accumulator, n> products(place);
  for (int i = 0; i < n; ++i) products.add(a.element, b[i].element, c[i].element);
  products.run();
}

template <int n>
__device__ __forceinline__ void multiply_add(const FragmentA<ThreeTf32Product>& a,
                                             const FragmentB<ThreeTf32Product> (&b)[n],
                                             FragmentC<ThreeTf32Product> (&c)[n], Place place = Place::current()) {
  Tf32 a_high[4], a_low[4], b_high[n][2], b_low[n][2];
  for (int l = 0; l < 4; ++l) a_high[l] = a.element[l].high, a_low[l] = a.element[l].low;
  for (int i = 0; i < n; ++i)
    for (int l = 0; l < 2; ++l) b_high[i][l] = b[i].element[l].high, b_low[i][l] = b[i].element[l].low;
  WarpProducts<Tf32, float, 3 * n> products(place);
  for (int i = 0; i < n; ++i) products.add(a_low, b_high[i], c[i].element);
  for (int i = 0; i < n; ++i) products.add(a_high, b_low[i], c[i].element);
  for (int i = 0; i < n; ++i) products.add(a_high, b_high[i], c[i].element);
  products.run();
}

/// A B + C.
template <class Product>
__device__ __forceinline__ FragmentC<Product> multiply_add(const FragmentA<Product>& a, const FragmentB<Product>& b,
                                                           const FragmentC<Product>& c,
                                                           Place place = Place::current()) {
  const FragmentB<Product> right[1] = {b};
  FragmentC<Product> d[1] = {c};
  multiply_add(a, right, d, place);
  return d[0];
}

}  // namespace ASSAY_MACHINE
}  // namespace assay::simt
