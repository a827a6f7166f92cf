#pragma once

#include "simt/mma.cuh"

#if defined(__CUDACC__)
#include "simt/device/matrix_load.cuh"
#else
#include "simt/host/matrix_load.hpp"
#endif

// Fragments from tiles in shared memory: by ldmatrix where the tile holds 16-bit operands, else element by element.
// Rows of 16-bit tiles start at multiples of 16 bytes: `stride`, in elements, is a multiple of 8.

namespace assay::simt {
inline namespace ASSAY_MACHINE {

/// Whether ldmatrix can bring elements of type Stored to the fragments of a product.
template <class Product, class Stored>
inline constexpr bool loads_matrices = sizeof(Stored) == 2 && std::is_same_v<Stored, typename Product::Operand>;

/// ldmatrix of as many 8x8 matrices as there are pairs of elements: matrix m holds the elements 2m and 2m + 1.
template <bool transposed, class T, std::size_t count>
__device__ __forceinline__ void load_matrices(T (&elements)[count], const T* row, Place place) {
  constexpr int matrices = count / 2;
  unsigned registers[matrices];
  ldmatrix<matrices, transposed>(registers, row, place);
  memcpy(elements, registers, sizeof registers);
}

/// A from tile[row][k], `stride` elements from row to row.
template <class Product, class Stored>
__device__ __forceinline__ FragmentA<Product> load_a(const Stored* tile, int stride, Place place = Place::current()) {
  if constexpr (loads_matrices<Product, Stored>) {
    const int lane = lane_id();
    FragmentA<Product> a;
    load_matrices<false>(a.element, tile + lane % 16 * stride + lane / 16 * 8, place);
    return a;
  } else {
    return fragment_a<Product>([&](int row, int k) { return tile[row * stride + k]; });
  }
}

/// A from its transpose, tile[k][row].
template <class Product, class Stored>
__device__ __forceinline__ FragmentA<Product> load_a_transposed(const Stored* tile, int stride,
                                                                Place place = Place::current()) {
  if constexpr (loads_matrices<Product, Stored>) {
    const int lane = lane_id(), k = lane % 8 + lane / 16 * 8;
    FragmentA<Product> a;
    load_matrices<true>(a.element, tile + k * stride + lane / 8 % 2 * 8, place);
    return a;
  } else {
    return fragment_a<Product>([&](int row, int k) { return tile[k * stride + row]; });
  }
}

/// B from tile[k][column].
template <class Product, class Stored>
__device__ __forceinline__ FragmentB<Product> load_b(const Stored* tile, int stride, Place place = Place::current()) {
  if constexpr (loads_matrices<Product, Stored>) {
    FragmentB<Product> b;
    load_matrices<true>(b.element, tile + lane_id() % 16 * stride, place);
    return b;
  } else {
    return fragment_b<Product>([&](int k, int column) { return tile[k * stride + column]; });
  }
}

/// B from its transpose, tile[column][k].
template <class Product, class Stored>
__device__ __forceinline__ FragmentB<Product> load_b_transposed(const Stored* tile, int stride,
                                                                Place place = Place::current()) {
  if constexpr (loads_matrices<Product, Stored>) {
    const int lane = lane_id();
    FragmentB<Product> b;
    load_matrices<false>(b.element, tile + lane % 8 * stride + lane / 8 % 2 * 8, place);
    return b;
  } else {
    return fragment_b<Product>([&](int k, int column) { return tile[column * stride + k]; });
  }
}

/// B of two tiles side by side, from tile[k][8 tile + column].
template <class Product, class Stored>
__device__ __forceinline__ void load_two_b(FragmentB<Product>* b, const Stored* tile, int stride,
                                           Place place = Place::current()) {
  if constexpr (loads_matrices<Product, Stored>) {
    const int lane = lane_id();
    Stored elements[8];
    load_matrices<true>(elements, tile + lane % 16 * stride + lane / 16 * 8, place);
    memcpy(b, elements, sizeof elements);
  } else {
    for (int i = 0; i < 2; ++i) b[i] = load_b<Product>(tile + 8 * i, stride);
  }
}

/// B of two tiles side by side, from their transposes, tile[8 tile + column][k].
template <class Product, class Stored>
__device__ __forceinline__ void load_two_b_transposed(FragmentB<Product>* b, const Stored* tile, int stride,
                                                      Place place = Place::current()) {
  if constexpr (loads_matrices<Product, Stored>) {
    const int lane = lane_id();
    Stored elements[8];
    load_matrices<false>(elements, tile + (lane % 8 + lane / 16 * 8) * stride + lane / 8 % 2 * 8, place);
    memcpy(b, elements, sizeof elements);
  } else {
    for (int i = 0; i < 2; ++i) b[i] = load_b_transposed<Product>(tile + 8 * i * stride, stride);
  }
}

}  // namespace ASSAY_MACHINE
}  // namespace assay::simt
