#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>

#include "arith/complex.hpp"
#include "arith/dual.hpp"
#include "arith/prime_field.hpp"

namespace assay {

/// Σ a_i b_i, term after term. Over a prime field the sum is reduced once in many terms; the result is the same.
template <class K>
class ProductSum {
 public:
  constexpr void add(const K& a, const K& b) { sum_ += a * b; }
  constexpr K value() const { return sum_; }

 private:
  K sum_{};
};

/// Products of representatives are added in 128 bits and reduced when the next one might overflow.
template <std::uint64_t P>
class ProductSum<PrimeField<P>> {
 public:
  constexpr void add(PrimeField<P> a, PrimeField<P> b) {
    if (terms_ == capacity) {
      sum_ = value().value();
      terms_ = 1;
    }
    sum_ += static_cast<unsigned __int128>(a.value()) * b.value();
    ++terms_;
  }
  constexpr PrimeField<P> value() const { return PrimeField<P>::reduce(sum_); }

  /// capacity (P - 1)^2 < 2^128; a reduced sum counts as one product.
  static constexpr std::uint64_t capacity = std::uint64_t{1}
                                            << (PrimeField<P>::bits > 32 ? 128 - 2 * PrimeField<P>::bits : 62);

 private:
  unsigned __int128 sum_ = 0;
  std::uint64_t terms_ = 0;
};

template <class K>
class ProductSum<Cx<K>> {
 public:
  constexpr void add(const Cx<K>& a, const Cx<K>& b) {
    re_.add(a.re, b.re);
    re_.add(-a.im, b.im);
    im_.add(a.re, b.im);
    im_.add(a.im, b.re);
  }
  constexpr Cx<K> value() const { return Cx<K>(re_.value(), im_.value()); }

 private:
  ProductSum<K> re_;
  ProductSum<K> im_;
};

template <class K>
class ProductSum<Dual<K>> {
 public:
  constexpr void add(const Dual<K>& a, const Dual<K>& b) {
    value_.add(a.value, b.value);
    tangent_.add(a.value, b.tangent);
    tangent_.add(a.tangent, b.value);
  }
  constexpr Dual<K> value() const { return Dual<K>(value_.value(), tangent_.value()); }

 private:
  ProductSum<K> value_;
  ProductSum<K> tangent_;
};

/// Σ a_i b_i. Throws std::invalid_argument when the lengths differ.
template <class K>
constexpr K dot(std::span<const K> a, std::span<const K> b) {
  if (a.size() != b.size())
    throw std::invalid_argument("dot of " + std::to_string(a.size()) + " and " + std::to_string(b.size()) +
                                " elements: the lengths must be equal");
  ProductSum<K> sum;
  for (std::size_t i = 0; i < a.size(); ++i) sum.add(a[i], b[i]);
  return sum.value();
}

/// a* b = Σ conj(a_i) b_i.
template <class K>
constexpr K hermitian_dot(std::span<const K> a, std::span<const K> b) {
  if (a.size() != b.size())
    throw std::invalid_argument("hermitian_dot of " + std::to_string(a.size()) + " and " + std::to_string(b.size()) +
                                " elements: the lengths must be equal");
  ProductSum<K> sum;
  for (std::size_t i = 0; i < a.size(); ++i) sum.add(conj(a[i]), b[i]);
  return sum.value();
}

}  // namespace assay
