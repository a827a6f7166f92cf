#pragma once

#include "kernels/sfda/numbers.cuh"
#include "kernels/warp_tile.cuh"

// Matrices of numbers in shared memory, and tiles of their products.

namespace assay::kernels {
inline namespace ASSAY_MACHINE {
namespace sfda {

/// A matrix whose components lie in planes of their own.
template <class X>
struct SharedNumbers {
  Part<X>* data;
  int stride;  // from row to row
  int plane;   // from the real parts to the imaginary ones

  __device__ Part<X>& part(int p, int row, int column) const { return data[p * plane + row * stride + column]; }
  __device__ X operator()(int row, int column) const {
    return number_of<X>([&](int p) { return part(p, row, column); });
  }
  __device__ void set(int row, int column, X x) const {
    for (int p = 0; p < planes<X>; ++p) part(p, row, column) = part_of(x, p);
  }
  /// The matrix without its first rows and columns.
  __device__ SharedNumbers from(int row, int column = 0) const { return {data + row * stride + column, stride, plane}; }
};

/// A factor of a tile product: one matrix a plane.
template <class Matrix, int count>
struct Factor {
  Matrix part[count];
};

template <class X>
__device__ Factor<SharedMatrix<Part<X>, false>, planes<X>> by_rows(SharedNumbers<X> m) {
  Factor<SharedMatrix<Part<X>, false>, planes<X>> factor;
  for (int p = 0; p < planes<X>; ++p) factor.part[p] = {m.data + p * m.plane, m.stride};
  return factor;
}
template <class X>
__device__ Factor<SharedMatrix<Part<X>, true>, planes<X>> by_columns(SharedNumbers<X> m) {
  Factor<SharedMatrix<Part<X>, true>, planes<X>> factor;
  for (int p = 0; p < planes<X>; ++p) factor.part[p] = {m.data + p * m.plane, m.stride};
  return factor;
}

/// The first rows of the transpose of a matrix, and zeros behind them: a factor of register tiles alone.
template <class A>
struct FirstColumns {
  SharedMatrix<A, true> matrix;
  int rows;
  __device__ A operator()(int row, int column) const { return row < rows ? matrix(row, column) : A(0); }
};

template <class X>
__device__ Factor<FirstColumns<Part<X>>, planes<X>> by_columns(SharedNumbers<X> m, int rows) {
  Factor<FirstColumns<Part<X>>, planes<X>> factor;
  for (int p = 0; p < planes<X>; ++p) factor.part[p] = {{m.data + p * m.plane, m.stride}, rows};
  return factor;
}

/// Tiles whose factors are multiplied by fma.
template <class A>
struct RegisterTiles {
  template <int columns>
  using Of = RegisterTile<A, columns>;
};

/// Tiles whose factors are multiplied as Product says.
template <class Product>
struct FragmentTiles {
  template <int columns>
  using Of = FragmentTile<Product, columns>;
};

/// A tile of numbers: a Tile a plane. A product of complex ones is four products of planes, each from 0 on, and one
/// addition or subtraction a plane.
template <class X, class Tile>
struct NumberTile {
  static constexpr int columns = Tile::columns;
  Tile plane[planes<X>];

  static __device__ NumberTile zero() {
    NumberTile d;
    for (Tile& tile : d.plane) tile = Tile::zero();
    return d;
  }

  /// A B.
  template <class A, class B>
  static __device__ NumberTile product(const A& a, const B& b, int depth) {
    NumberTile d;
    d.plane[0] = Tile::product(a.part[0], b.part[0], depth);
    if constexpr (planes<X> == 2) {
      d.plane[0] -= Tile::product(a.part[1], b.part[1], depth);
      d.plane[1] = Tile::product(a.part[0], b.part[1], depth);
      d.plane[1] += Tile::product(a.part[1], b.part[0], depth);
    }
    return d;
  }

  /// A conj(B).
  template <class A, class B>
  static __device__ NumberTile product_with_conjugate(const A& a, const B& b, int depth) {
    NumberTile d;
    d.plane[0] = Tile::product(a.part[0], b.part[0], depth);
    if constexpr (planes<X> == 2) {
      d.plane[0] += Tile::product(a.part[1], b.part[1], depth);
      d.plane[1] = Tile::product(a.part[1], b.part[0], depth);
      d.plane[1] -= Tile::product(a.part[0], b.part[1], depth);
    }
    return d;
  }

  __device__ void operator+=(const NumberTile& other) {
    for (int p = 0; p < planes<X>; ++p) plane[p] += other.plane[p];
  }

  /// Calls use(plane, row, column, component) for this lane's elements.
  template <class Use>
  __device__ void for_each(Use use) {
    for (int p = 0; p < planes<X>; ++p)
      plane[p].for_each([&](int row, int column, Part<X> x) { use(p, row, column, x); });
  }
};

}  // namespace sfda
}  // namespace ASSAY_MACHINE
}  // namespace assay::kernels
