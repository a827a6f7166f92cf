#pragma once

#include <string>
#include <string_view>

namespace assay {

/// What laws and records ask of an arithmetic. The primary template asks K itself (`K::arithmetic_name()`,
/// `K::uniform(source)`, `K::log2_order` if K is finite); types from libraries specialise it.
template <class K>
struct ArithmeticTraits {
  static std::string name() { return K::arithmetic_name(); }

  static constexpr double log2_order() {
    if constexpr (requires { K::log2_order; })
      return K::log2_order;
    else
      return 0;
  }

  template <class Source>
  static constexpr K uniform(Source&& source) {
    return K::uniform(source);
  }
};

template <>
struct ArithmeticTraits<double> {
  static std::string name() { return "double"; }
  static constexpr double log2_order() { return 0; }
};

/// "GF(2^61-1)", "GF((2^61-1)^2)", "Q", "Q(i)", "double-double", "MPFR 50 digits", ...: lives as long as the program.
template <class K>
std::string_view arithmetic_name() {
  static const std::string name = ArithmeticTraits<K>::name();
  return name;
}

/// log2 of the number of values that one *coordinate* of a random element takes; 0 where that is not finite.
///
/// For GF(p^2) and for dual numbers this is log2 p, not twice that: conjugation is a polynomial of low degree only in
/// the coordinates over GF(p), so the Schwartz-Zippel bound counts those.
template <class K>
constexpr double log2_order() {
  return ArithmeticTraits<K>::log2_order();
}

/// A random element of K: uniform over a finite K, a small one otherwise. `source()` gives 64 uniform bits.
template <class K, class Source>
constexpr K uniform_element(Source&& source) {
  return ArithmeticTraits<K>::uniform(source);
}

}  // namespace assay
