#pragma once

#include <cmath>
#include <concepts>
#include <ostream>
#include <string>
#include <type_traits>
#include <utility>

#include "arith/arithmetic_traits.hpp"
#include "arith/complex.hpp"
#include "arith/integer.hpp"

namespace assay {

/// value + tangent·e with e^2 = 0: arithmetic on it carries an exact directional derivative over any K.
///
/// For complex formulas use Cx<Dual<K>>, whose conjugation is linear over the real directions.
template <class K>
struct Dual {
  K value{};
  K tangent{};

  constexpr Dual() = default;
  constexpr Dual(K constant) : value(std::move(constant)) {}
  constexpr Dual(K at, K direction) : value(std::move(at)), tangent(std::move(direction)) {}
  template <Integer I>
  requires(!std::same_as<I, K>) constexpr Dual(I n) : value(n) {}

  template <class Source>
  static constexpr Dual uniform(Source&& source) {
    K at = uniform_element<K>(source);
    return Dual(std::move(at), uniform_element<K>(source));
  }
  static constexpr double log2_order = ArithmeticTraits<K>::log2_order();
  static std::string arithmetic_name() { return "dual " + ArithmeticTraits<K>::name(); }

  constexpr Dual operator-() const { return Dual(-value, -tangent); }
  friend constexpr Dual operator+(const Dual& a, const Dual& b) {
    return Dual(a.value + b.value, a.tangent + b.tangent);
  }
  friend constexpr Dual operator-(const Dual& a, const Dual& b) {
    return Dual(a.value - b.value, a.tangent - b.tangent);
  }
  friend constexpr Dual operator*(const Dual& a, const Dual& b) {
    return Dual(a.value * b.value, a.value * b.tangent + a.tangent * b.value);
  }
  /// Fails as K's division does when b.value = 0.
  friend constexpr Dual operator/(const Dual& a, const Dual& b) {
    K quotient = a.value / b.value;
    K tangent = (a.tangent - quotient * b.tangent) / b.value;
    return Dual(std::move(quotient), std::move(tangent));
  }
  /// Equal as dual numbers: value and tangent.
  friend constexpr bool operator==(const Dual& a, const Dual& b) {
    return a.value == b.value && a.tangent == b.tangent;
  }

  constexpr Dual& operator+=(const Dual& b) { return *this = *this + b; }
  constexpr Dual& operator-=(const Dual& b) { return *this = *this - b; }
  constexpr Dual& operator*=(const Dual& b) { return *this = *this * b; }
  constexpr Dual& operator/=(const Dual& b) { return *this = *this / b; }

  friend constexpr Dual conj(const Dual& a) { return Dual(conj(a.value), conj(a.tangent)); }

  friend std::ostream& operator<<(std::ostream& out, const Dual& a) {
    return out << a.value << " + " << a.tangent << " e";
  }
};

/// The chain rule for a function known only by its value f(x) and derivative f'(x) at x.value: over a field, exp is a
/// free element that is its own derivative, tanh a free r with derivative 1 - r^2.
template <class K>
constexpr Dual<K> chain(const Dual<K>& x, const std::type_identity_t<K>& value,
                        const std::type_identity_t<K>& derivative) {
  return Dual<K>(value, derivative * x.tangent);
}

/// Elementary functions, for every K that has them.
template <class K>
Dual<K> exp(const Dual<K>& x) {
  using std::exp;
  const K e = exp(x.value);
  return chain(x, e, e);
}
template <class K>
Dual<K> log(const Dual<K>& x) {
  using std::log;
  return chain(x, log(x.value), K(1) / x.value);
}
template <class K>
Dual<K> sqrt(const Dual<K>& x) {
  using std::sqrt;
  const K root = sqrt(x.value);
  return chain(x, root, K(1) / (root + root));
}
template <class K>
Dual<K> tanh(const Dual<K>& x) {
  using std::tanh;
  const K t = tanh(x.value);
  return chain(x, t, K(1) - t * t);
}
template <class K>
Dual<K> sin(const Dual<K>& x) {
  using std::cos, std::sin;
  return chain(x, sin(x.value), cos(x.value));
}
template <class K>
Dual<K> cos(const Dual<K>& x) {
  using std::cos, std::sin;
  return chain(x, cos(x.value), -sin(x.value));
}

}  // namespace assay
