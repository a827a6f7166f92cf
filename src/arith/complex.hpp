#pragma once

#include <concepts>
#include <ostream>
#include <string>
#include <type_traits>
#include <utility>

#include "arith/arithmetic_traits.hpp"
#include "arith/integer.hpp"

namespace assay {

/// re + i im over any commutative K. Over GF(p), p = 3 (mod 4), it is GF(p^2) and conjugation is Frobenius, z -> z^p.
template <class K>
struct Cx {
  K re{};
  K im{};

  constexpr Cx() = default;
  constexpr Cx(K real) : re(std::move(real)) {}
  constexpr Cx(K real, K imaginary) : re(std::move(real)), im(std::move(imaginary)) {}
  template <Integer I>
  requires(!std::same_as<I, K>) constexpr Cx(I n) : re(n) {}

  template <class Source>
  static constexpr Cx uniform(Source&& source) {
    K real = uniform_element<K>(source);
    return Cx(std::move(real), uniform_element<K>(source));
  }
  static constexpr double log2_order = ArithmeticTraits<K>::log2_order();
  static std::string arithmetic_name() {
    const std::string real = ArithmeticTraits<K>::name();
    if (real.starts_with("GF(")) return "GF((" + real.substr(3) + "^2)";
    return real == "Q" ? "Q(i)" : "complex " + real;
  }

  constexpr Cx operator-() const { return Cx(-re, -im); }
  friend constexpr Cx operator+(const Cx& a, const Cx& b) { return Cx(a.re + b.re, a.im + b.im); }
  friend constexpr Cx operator-(const Cx& a, const Cx& b) { return Cx(a.re - b.re, a.im - b.im); }
  friend constexpr Cx operator*(const Cx& a, const Cx& b) {
    return Cx(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
  }
  /// a conj(b) / |b|^2; fails as K's division does when |b|^2 = 0.
  friend constexpr Cx operator/(const Cx& a, const Cx& b) {
    const Cx numerator = a * conj(b);
    const K norm = abs2(b);
    return Cx(numerator.re / norm, numerator.im / norm);
  }
  friend constexpr bool operator==(const Cx& a, const Cx& b) { return a.re == b.re && a.im == b.im; }

  /// Scaling by an element of K itself (templates, so that `2 * z` stays unambiguous).
  template <std::same_as<K> S>
  friend constexpr Cx operator*(const S& s, const Cx& a) {
    return Cx(s * a.re, s * a.im);
  }
  template <std::same_as<K> S>
  friend constexpr Cx operator*(const Cx& a, const S& s) {
    return Cx(a.re * s, a.im * s);
  }
  template <std::same_as<K> S>
  friend constexpr Cx operator/(const Cx& a, const S& s) {
    return Cx(a.re / s, a.im / s);
  }

  constexpr Cx& operator+=(const Cx& b) { return *this = *this + b; }
  constexpr Cx& operator-=(const Cx& b) { return *this = *this - b; }
  constexpr Cx& operator*=(const Cx& b) { return *this = *this * b; }
  constexpr Cx& operator/=(const Cx& b) { return *this = *this / b; }

  friend constexpr Cx conj(const Cx& a) { return Cx(a.re, -a.im); }
  friend constexpr K real(const Cx& a) { return a.re; }
  friend constexpr K imag(const Cx& a) { return a.im; }
  /// |a|^2 = a conj(a), in K. Over GF(p) it is zero only for a = 0.
  friend constexpr K abs2(const Cx& a) { return a.re * a.re + a.im * a.im; }

  friend std::ostream& operator<<(std::ostream& out, const Cx& a) { return out << '(' << a.re << ',' << a.im << ')'; }
};

template <class K>
inline constexpr bool is_complex_v = false;
template <class K>
inline constexpr bool is_complex_v<Cx<K>> = true;

namespace detail {
template <class K>
struct RealPart {
  using type = K;
};
template <class K>
struct RealPart<Cx<K>> {
  using type = K;
};
}  // namespace detail

/// K of Cx<K>; K itself when K is real.
template <class K>
using RealOf = typename detail::RealPart<K>::type;

/// Formulas write conj, real and abs2 once for real and complex K.
template <class K>
requires(!is_complex_v<K>) constexpr K conj(const K& a) { return a; }
template <class K>
requires(!is_complex_v<K>) constexpr K real(const K& a) { return a; }
template <class K>
requires(!is_complex_v<K>) constexpr K abs2(const K& a) { return a * a; }

}  // namespace assay
