#pragma once

#include <string>

#include <boost/multiprecision/mpfr.hpp>

#include "arith/arithmetic_traits.hpp"
#include "arith/double_double.hpp"

namespace assay {

/// MPFR at a fixed number of decimal digits, on the stack, without expression templates; Cx<Mpfr50> is its complex.
template <unsigned Digits>
using Mpfr = boost::multiprecision::number<
    boost::multiprecision::mpfr_float_backend<Digits, boost::multiprecision::allocate_stack>,
    boost::multiprecision::et_off>;
using Mpfr50 = Mpfr<50>;    ///< 168 bits
using Mpfr100 = Mpfr<100>;  ///< 334 bits

template <>
struct ArithmeticTraits<Mpfr50> {
  static std::string name() { return "MPFR 50 digits"; }
  static constexpr double log2_order() { return 0; }
};
template <>
struct ArithmeticTraits<Mpfr100> {
  static std::string name() { return "MPFR 100 digits"; }
  static constexpr double log2_order() { return 0; }
};

/// hi + lo, rounded once where lo lies far below hi.
template <class M>
M to_mpfr(DoubleDouble x);
extern template Mpfr50 to_mpfr<Mpfr50>(DoubleDouble);
extern template Mpfr100 to_mpfr<Mpfr100>(DoubleDouble);

/// The nearest double and the nearest double to what is left: relative error <= 2^-106.
DoubleDouble to_double_double(const Mpfr50& x);
DoubleDouble to_double_double(const Mpfr100& x);

}  // namespace assay
