#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <stdexcept>
#include <string>

#include "arith/integer.hpp"

namespace assay {

/// Z[x]/(x^M − 1): integer combinations of M-th roots of unity, exactly. x stands for every one of them, so an equation
/// between elements holds for each; conj is x ↦ x^{-1}. Throws std::overflow_error beyond 64-bit coefficients.
template <unsigned M>
class CyclicRing {
  static_assert(M > 0);

 public:
  static constexpr unsigned order = M;
  static std::string arithmetic_name() { return "Z[x]/(x^" + std::to_string(M) + " - 1)"; }

  constexpr CyclicRing() = default;
  template <Integer I>
  constexpr CyclicRing(I n) {
    coefficients_[0] = static_cast<std::int64_t>(n);
  }

  /// x^n, n of either sign.
  static constexpr CyclicRing root(std::int64_t n) {
    CyclicRing result;
    result.coefficients_[residue(n)] = 1;
    return result;
  }

  /// The coefficient of x^n.
  constexpr std::int64_t coefficient(std::int64_t n) const { return coefficients_[residue(n)]; }

  constexpr CyclicRing operator-() const { return CyclicRing() - *this; }
  friend constexpr CyclicRing operator+(CyclicRing a, const CyclicRing& b) {
    for (unsigned i = 0; i < M; ++i)
      if (__builtin_add_overflow(a.coefficients_[i], b.coefficients_[i], &a.coefficients_[i])) overflow();
    return a;
  }
  friend constexpr CyclicRing operator-(CyclicRing a, const CyclicRing& b) {
    for (unsigned i = 0; i < M; ++i)
      if (__builtin_sub_overflow(a.coefficients_[i], b.coefficients_[i], &a.coefficients_[i])) overflow();
    return a;
  }
  friend constexpr CyclicRing operator*(const CyclicRing& a, const CyclicRing& b) {
    CyclicRing result;
    for (unsigned i = 0; i < M; ++i)
      for (unsigned j = 0; j < M; ++j) {
        std::int64_t product = 0;
        std::int64_t& sum = result.coefficients_[(i + j) % M];
        if (__builtin_mul_overflow(a.coefficients_[i], b.coefficients_[j], &product)) overflow();
        if (__builtin_add_overflow(sum, product, &sum)) overflow();
      }
    return result;
  }
  /// By ±x^n alone: the ring is no field. Throws std::domain_error otherwise.
  friend constexpr CyclicRing operator/(const CyclicRing& a, const CyclicRing& b) {
    const CyclicRing inverse = conj(b);
    if (b * inverse == CyclicRing(1)) return a * inverse;
    throw std::domain_error("division in " + arithmetic_name() + ": only +-x^n has an inverse here");
  }
  friend constexpr bool operator==(const CyclicRing&, const CyclicRing&) = default;

  friend constexpr CyclicRing conj(const CyclicRing& a) {
    CyclicRing result;
    for (unsigned i = 0; i < M; ++i) result.coefficients_[(M - i) % M] = a.coefficients_[i];
    return result;
  }

  friend std::ostream& operator<<(std::ostream& out, const CyclicRing& a) {
    for (unsigned i = 0; i < M; ++i) out << (i ? " + " : "") << a.coefficients_[i] << " x^" << i;
    return out;
  }

 private:
  std::array<std::int64_t, M> coefficients_{};

  static constexpr std::size_t residue(std::int64_t n) {
    const auto m = static_cast<std::int64_t>(M);
    return static_cast<std::size_t>((n % m + m) % m);
  }
  [[noreturn]] static void overflow() { throw std::overflow_error("a coefficient in " + arithmetic_name()); }
};

}  // namespace assay
