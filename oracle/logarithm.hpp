#pragma once

#include <cmath>
#include <cstdint>
#include <ostream>
#include <type_traits>
#include <utility>

#include "arith/integer_power.hpp"
#include "oracle/scalar.hpp"

namespace assay {

/// A number x known by e^x: sums of logarithms are products, so that a formula of exp, log and sums of scores runs over
/// any field. e^x = 0 stands for x = −∞. Ordered where K is, for e^x > 0.
template <class K>
struct Logarithm {
  K power{1};  ///< e^x

  friend Logarithm operator+(const Logarithm& x, const Logarithm& y) { return {x.power * y.power}; }
  friend Logarithm operator-(const Logarithm& x, const Logarithm& y) { return {x.power / y.power}; }
  friend Logarithm operator-(const Logarithm& x) { return {K(1) / x.power}; }
  friend bool operator==(const Logarithm&, const Logarithm&) = default;
  friend bool operator<(const Logarithm& x, const Logarithm& y) requires OrderedScalar<K> { return x.power < y.power; }
  friend K exp(const Logarithm& x) { return x.power; }
  friend std::ostream& operator<<(std::ostream& out, const Logarithm& x) { return out << "log " << x.power; }
};

/// n x.
template <class K>
Logarithm<K> multiple(std::int64_t n, const Logarithm<K>& x) {
  return {integer_power(x.power, n)};
}

template <class Z>
struct ScoreTraits {
  using Power = Z;
  static Z zero() { return Z(0); }
  static Z log(const Z& x) {
    using std::log;
    return log(x);
  }
};
template <class K>
struct ScoreTraits<Logarithm<K>> {
  using Power = K;
  static Logarithm<K> zero() { return {K(1)}; }
  static Logarithm<K> log(const K& x) { return {x}; }
};

/// The type of e^z for a score z: that of a real itself, K for a Logarithm<K>.
template <class Z>
using PowerOf = typename ScoreTraits<Z>::Power;

/// A score of value 0.
template <class Z>
Z zero_score() {
  return ScoreTraits<Z>::zero();
}

/// log x as a score.
template <class Z>
Z log_score(const PowerOf<Z>& x) {
  return ScoreTraits<Z>::log(x);
}

/// e^z.
template <class Z>
PowerOf<Z> exp_score(const Z& z) {
  using std::exp;
  return exp(z);
}

/// The larger of two scores; where scores have no order, the second: a reference that cancels.
template <class Z>
const Z& larger_score(const Z& x, const Z& y) {
  if constexpr (requires { x < y; })
    return x < y ? y : x;
  else
    return y;
}

}  // namespace assay
