#pragma once

#include <Eigen/Core>
#include <cstdint>

#include "arith/complex.hpp"
#include "arith/double_double.hpp"
#include "arith/dual.hpp"
#include "arith/prime_field.hpp"

namespace assay {

/// Pivot search only (Eigen's LU asks for an order and a size): a pivot is any element that is not zero. A field has
/// neither, so plain users, who do not include this header, cannot compare field elements by accident.
template <std::uint64_t P>
constexpr bool operator<(PrimeField<P> a, PrimeField<P> b) {
  return a.value() < b.value();
}
template <std::uint64_t P>
constexpr bool operator>(PrimeField<P> a, PrimeField<P> b) {
  return b < a;
}
template <std::uint64_t P>
constexpr bool operator<=(PrimeField<P> a, PrimeField<P> b) {
  return !(b < a);
}
template <std::uint64_t P>
constexpr bool operator>=(PrimeField<P> a, PrimeField<P> b) {
  return !(a < b);
}
template <std::uint64_t P>
constexpr PrimeField<P> abs(PrimeField<P> a) {
  return a;
}

/// |a|, or |a|^2 where K has no square root: over GF(p) it is zero only for a = 0.
template <class K>
constexpr K abs(const Cx<K>& a) {
  if constexpr (requires(const K& x) { sqrt(x); })
    return sqrt(abs2(a));
  else
    return abs2(a);
}

}  // namespace assay

namespace Eigen {

template <std::uint64_t P>
struct NumTraits<assay::PrimeField<P>> : GenericNumTraits<assay::PrimeField<P>> {
  using Real = assay::PrimeField<P>;
  using NonInteger = Real;
  using Nested = Real;
  using Literal = Real;
  // IsInteger = 0: division is exact, and LU asks for it.
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 0,
    RequireInitialization = 0,
    ReadCost = 1,
    AddCost = 2,
    MulCost = 6
  };
  static Real epsilon() { return Real(0); }
  static Real dummy_precision() { return Real(0); }
  static int digits10() { return 0; }
};

template <>
struct NumTraits<assay::DoubleDouble> : GenericNumTraits<assay::DoubleDouble> {
  using Real = assay::DoubleDouble;
  using NonInteger = Real;
  using Nested = Real;
  using Literal = double;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 0,
    ReadCost = 2,
    AddCost = 20,
    MulCost = 9
  };
  static Real epsilon() { return 0x1p-105; }
  static Real dummy_precision() { return 0x1p-95; }
  static Real highest() { return 0x1p1022; }
  static Real lowest() { return -0x1p1022; }
  static int digits10() { return 31; }
};

template <class K>
struct NumTraits<assay::Cx<K>> : GenericNumTraits<assay::Cx<K>> {
  using Real = K;
  using NonInteger = assay::Cx<K>;
  using Nested = assay::Cx<K>;
  using Literal = assay::Cx<K>;
  enum {
    IsComplex = 1,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = NumTraits<K>::RequireInitialization,
    ReadCost = 2,
    AddCost = 2 * NumTraits<K>::AddCost,
    MulCost = 4 * NumTraits<K>::MulCost
  };
  static K epsilon() { return NumTraits<K>::epsilon(); }
  static K dummy_precision() { return NumTraits<K>::dummy_precision(); }
  static int digits10() { return NumTraits<K>::digits10(); }
};

template <class K>
struct NumTraits<assay::Dual<K>> : GenericNumTraits<assay::Dual<K>> {
  using Real = assay::Dual<K>;
  using NonInteger = Real;
  using Nested = Real;
  using Literal = Real;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = NumTraits<K>::RequireInitialization,
    ReadCost = 2,
    AddCost = 2 * NumTraits<K>::AddCost,
    MulCost = 3 * NumTraits<K>::MulCost
  };
  static int digits10() { return 0; }
};

namespace internal {

// Eigen's defaults for complex numbers name std::complex; these name Cx.
template <class K>
struct conj_default_impl<assay::Cx<K>, true> {
  static assay::Cx<K> run(const assay::Cx<K>& z) { return conj(z); }
};
template <class K>
struct real_default_impl<assay::Cx<K>, true> {
  static K run(const assay::Cx<K>& z) { return z.re; }
};
template <class K>
struct imag_default_impl<assay::Cx<K>, true> {
  static K run(const assay::Cx<K>& z) { return z.im; }
};
template <class K>
struct abs2_impl_default<assay::Cx<K>, true> {
  static K run(const assay::Cx<K>& z) { return abs2(z); }
};

}  // namespace internal
}  // namespace Eigen
