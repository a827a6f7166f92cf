#pragma once

#include "simt/matrix_load.cuh"

// Products of matrices in shared memory, D [16, columns] = A [16, depth] B [depth, columns] a warp. A kernel is a
// template over the tile: the same source multiplies in float32, on tensor cores and over fields.

namespace assay::kernels {
inline namespace ASSAY_MACHINE {

/// A matrix in shared memory whose rows, or columns, start `stride` elements apart.
template <class T, bool by_columns>
struct SharedMatrix {
  const T* data;
  int stride;

  __device__ T operator()(int row, int column) const {
    return by_columns ? data[column * stride + row] : data[row * stride + column];
  }
  __device__ const T* at(int row, int column) const {
    return by_columns ? data + column * stride + row : data + row * stride + column;
  }
};

template <class T>
__device__ SharedMatrix<T, false> by_rows(const T* data, int stride) {
  return {data, stride};
}
template <class T>
__device__ SharedMatrix<T, true> by_columns(const T* data, int stride) {
  return {data, stride};
}

/// Brings `rows` rows of `columns` entries of a matrix [there, width] to shared memory, by all threads of a block;
/// rows from `there` and columns from `width` on are zeros.
template <class T, class Source>
__device__ void stage_rows(T* tile, int stride, int rows, int columns, const Source* source, std::int64_t source_stride,
                           int there, int width) {
  for (int i = threadIdx.x; i < rows * columns; i += static_cast<int>(blockDim.x)) {
    const int row = i / columns, column = i % columns;
    tile[row * stride + column] =
        simt::convert<T>(row < there && column < width ? source[row * source_stride + column] : Source{});
  }
}

/// A lane holds 4 by columns / 8 neighbouring outputs, each a chain of fma over the depth from 0 on.
template <class T, int columns_>
struct RegisterTile {
  using Stored = T;
  using Accumulator = T;
  static constexpr int rows = 4, columns = columns_, across = columns / 8;
  T element[rows][across];

  /// From row to row of a matrix in shared memory: odd, so that lanes that read down a column meet no bank twice.
  template <class U>
  static constexpr int stride(int width) {
    return width | 1;
  }

  static __device__ RegisterTile zero() {
    RegisterTile d;
    d.for_each([](int, int, T& x) { x = T(0); });
    return d;
  }

  template <class A, class B>
  static __device__ RegisterTile product(A a, B b, int depth) {
    RegisterTile d = zero();
    const int row = first_row(), column = first_column();
    for (int k = 0; k < depth; ++k) {
      T left[rows], right[across];
      for (int i = 0; i < rows; ++i) left[i] = a(row + i, k);
      for (int j = 0; j < across; ++j) right[j] = b(k, column + j);
      for (int i = 0; i < rows; ++i)
        for (int j = 0; j < across; ++j) d.element[i][j] = simt::multiply_add(left[i], right[j], d.element[i][j]);
    }
    return d;
  }

  /// Calls use(row, column, element) for this lane's elements.
  template <class Use>
  __device__ void for_each(Use use) {
    const int row = first_row(), column = first_column();
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < across; ++j) use(row + i, column + j, element[i][j]);
  }

  __device__ void operator+=(const RegisterTile& other) {
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < across; ++j) element[i][j] = element[i][j] + other.element[i][j];
  }
  __device__ void operator-=(const RegisterTile& other) {
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < across; ++j) element[i][j] = element[i][j] - other.element[i][j];
  }
  /// Row i times factors[i].
  __device__ void scale_rows(const T* factors) {
    const int row = first_row();
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < across; ++j) element[i][j] = element[i][j] * factors[row + i];
  }

 private:
  static __device__ int first_row() { return simt::lane_id() / 8 * rows; }
  static __device__ int first_column() { return simt::lane_id() % 8 * across; }
};

/// Fragments of 8 columns each, multiplied as Product says; its instructions follow the depth from 0 on.
template <class Product, int columns_>
struct FragmentTile {
  using Accumulator = typename Product::Accumulator;
  /// 16-bit operands lie in shared memory as they are, others as numbers that are rounded when they are loaded.
  using Stored = std::conditional_t<sizeof(typename Product::Operand) == 2, typename Product::Operand, Accumulator>;
  static constexpr int columns = columns_, across = columns / 8;
  static_assert(across % 2 == 0, "matrices of B are loaded two tiles at a time");
  simt::FragmentC<Product> fragment[across];

  /// From row to row of a matrix in shared memory: 16 bytes more than its width, so that the 8 rows of a matrix load
  /// start in different banks.
  template <class U>
  static constexpr int stride(int width) {
    return width + 16 / static_cast<int>(sizeof(U));
  }

  static __device__ FragmentTile zero() {
    FragmentTile d;
    for (int i = 0; i < across; ++i) d.fragment[i] = simt::zero_fragment<Product>();
    return d;
  }

  /// Preconditions: depth is a multiple of 16.
  template <class A, class B>
  static __device__ FragmentTile product(A a, B b, int depth) {
    FragmentTile d = zero();
    for (int k = 0; k < depth; k += Product::k) {
      const simt::FragmentA<Product> left = load_left(a, k);
      simt::FragmentB<Product> right[across];
      for (int i = 0; i < across; i += 2) load_right(right + i, b, k, 8 * i);
      simt::multiply_add(left, right, d.fragment);
    }
    return d;
  }

  template <class Use>
  __device__ void for_each(Use use) {
    for (int i = 0; i < across; ++i)
      simt::for_each_element(fragment[i], [&](int row, int column, Accumulator x) { use(row, 8 * i + column, x); });
  }

  __device__ void operator+=(const FragmentTile& other) {
    for (int i = 0; i < across; ++i)
      for (int l = 0; l < simt::AccumulatorLayout::count; ++l)
        fragment[i].element[l] = fragment[i].element[l] + other.fragment[i].element[l];
  }
  __device__ void operator-=(const FragmentTile& other) {
    for (int i = 0; i < across; ++i)
      for (int l = 0; l < simt::AccumulatorLayout::count; ++l)
        fragment[i].element[l] = fragment[i].element[l] - other.fragment[i].element[l];
  }
  __device__ void scale_rows(const Accumulator* factors) {
    const int lane = simt::lane_id();
    for (int i = 0; i < across; ++i)
      for (int l = 0; l < simt::AccumulatorLayout::count; ++l)
        fragment[i].element[l] = fragment[i].element[l] * factors[simt::AccumulatorLayout::row(lane, l)];
  }

 private:
  template <class T>
  static __device__ simt::FragmentA<Product> load_left(SharedMatrix<T, false> a, int k) {
    return simt::load_a<Product>(a.at(0, k), a.stride);
  }
  template <class T>
  static __device__ simt::FragmentA<Product> load_left(SharedMatrix<T, true> a, int k) {
    return simt::load_a_transposed<Product>(a.at(0, k), a.stride);
  }
  template <class T>
  static __device__ void load_right(simt::FragmentB<Product>* right, SharedMatrix<T, false> b, int k, int column) {
    simt::load_two_b<Product>(right, b.at(k, column), b.stride);
  }
  template <class T>
  static __device__ void load_right(simt::FragmentB<Product>* right, SharedMatrix<T, true> b, int k, int column) {
    simt::load_two_b_transposed<Product>(right, b.at(k, column), b.stride);
  }
};

/// Fragments for tensor cores; over a field, where there are none, the same fragments multiplied exactly.
template <class E, class Product, int columns>
using FragmentTileOf = FragmentTile<std::conditional_t<sizeof(E) == 8, simt::FmaProduct<E>, Product>, columns>;

}  // namespace ASSAY_MACHINE
}  // namespace assay::kernels
