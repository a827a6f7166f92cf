#pragma once

#include <cstdint>
#include <string>

#include <boost/multiprecision/gmp.hpp>

#include "arith/arithmetic_traits.hpp"
#include "arith/complex.hpp"

namespace assay {

/// Exact rationals, without expression templates. Division by zero throws std::overflow_error.
using Rational = boost::multiprecision::number<boost::multiprecision::gmp_rational, boost::multiprecision::et_off>;

/// Q(i).
using GaussianRational = Cx<Rational>;

template <>
struct ArithmeticTraits<Rational> {
  static std::string name() { return "Q"; }
  static constexpr double log2_order() { return 0; }

  /// n/d with |n| <= 8 and 1 <= d <= 8: small enough to be read, rich enough to cancel and to repeat.
  template <class Source>
  static Rational uniform(Source&& source) {
    const std::uint64_t word = source();
    const auto n = static_cast<std::int64_t>((word >> 32) % 17) - 8;
    const auto d = static_cast<std::int64_t>(word % 8) + 1;
    return Rational(n, d);
  }
};

}  // namespace assay
