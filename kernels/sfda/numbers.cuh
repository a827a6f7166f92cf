#pragma once

#include "simt/element.cuh"

// The numbers that the delta rule computes with: real, or complex as two planes. A kernel is a template over them.

namespace assay::kernels {
inline namespace ASSAY_MACHINE {
namespace sfda {

/// re + i im. A product takes two roundings a component, and so does a product that is added.
template <class A>
struct Complex {
  A re, im;

  friend __device__ Complex operator+(Complex x, Complex y) { return {x.re + y.re, x.im + y.im}; }
  friend __device__ Complex operator-(Complex x, Complex y) { return {x.re - y.re, x.im - y.im}; }
  friend __device__ Complex operator-(Complex x) { return {-x.re, -x.im}; }
  friend __device__ Complex operator*(A s, Complex x) { return {s * x.re, s * x.im}; }
  friend __device__ Complex operator*(Complex x, Complex y) {
    return {simt::multiply_add(-x.im, y.im, x.re * y.re), simt::multiply_add(x.im, y.re, x.re * y.im)};
  }
};

template <class A>
using Real = A;

template <class X>
struct NumberTraits {
  using Part = X;
  static constexpr int planes = 1;
};
template <class A>
struct NumberTraits<Complex<A>> {
  using Part = A;
  static constexpr int planes = 2;
};

/// The type of a number's components.
template <class X>
using Part = typename NumberTraits<X>::Part;

/// How many components a number has.
template <class X>
constexpr int planes = NumberTraits<X>::planes;

template <class X>
__device__ X conjugate(X x) {
  return x;
}
template <class A>
__device__ Complex<A> conjugate(Complex<A> x) {
  return {x.re, -x.im};
}

using simt::multiply_add;

/// x y + c, its terms added to c in this order: x.re y.re, -x.im y.im; x.re y.im, x.im y.re.
template <class A>
__device__ Complex<A> multiply_add(Complex<A> x, Complex<A> y, Complex<A> c) {
  return {simt::multiply_add(-x.im, y.im, simt::multiply_add(x.re, y.re, c.re)),
          simt::multiply_add(x.im, y.re, simt::multiply_add(x.re, y.im, c.im))};
}

/// The number whose components are `part(plane)`.
template <class X, class PartOf>
__device__ X number_of(PartOf part) {
  if constexpr (planes<X> == 1)
    return part(0);
  else
    return {part(0), part(1)};
}

template <class X>
__device__ Part<X> part_of(X x, int plane) {
  if constexpr (planes<X> == 1)
    return x;
  else
    return plane == 0 ? x.re : x.im;
}

/// place = x. What a function returns straight into shared memory is not announced to the checker; what it is handed is.
template <class X>
__device__ void store(X& place, X x) {
  place = x;
}

template <class X>
__device__ X zero() {
  return number_of<X>([](int) { return Part<X>(0); });
}

template <class X>
__device__ X one() {
  return number_of<X>([](int plane) { return Part<X>(plane == 0 ? 1 : 0); });
}

}  // namespace sfda
}  // namespace ASSAY_MACHINE
}  // namespace assay::kernels
