#pragma once

#include <bit>
#include <cstdint>
#include <ostream>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "arith/integer.hpp"
#include "arith/integer_power.hpp"

namespace assay {

/// GF(P) for a Mersenne prime P = 2^bits - 1, where a reduction is a shift and an addition.
///
/// P = 3 (mod 4), so -1 is no square and Cx<PrimeField<P>> is the field GF(P^2). There is no order and no square root.
template <std::uint64_t P>
class PrimeField {
 public:
  static constexpr std::uint64_t order = P;
  static constexpr int bits = std::bit_width(P);
  static_assert(std::has_single_bit(P + 1) && bits >= 3 && bits <= 61, "P must be 2^n - 1, 3 <= n <= 61");

  /// log2 P from below: bits + log2(1 - 2^-bits).
  static constexpr double log2_order = bits - 2.0 / P;
  static std::string arithmetic_name() { return "GF(2^" + std::to_string(bits) + "-1)"; }

  constexpr PrimeField() = default;

  template <Integer I>
  constexpr PrimeField(I n) : value_(representative(n)) {}

  /// z mod P for every z of the type.
  static constexpr PrimeField reduce(unsigned __int128 z) {
    while (z >> (bits + 1)) z = fold(z);
    return canonical(static_cast<std::uint64_t>(fold(z)));
  }

  /// A uniform element, by rejection. `source()` gives 64 uniform bits.
  template <class Source>
  static constexpr PrimeField uniform(Source&& source) {
    for (;;) {
      const std::uint64_t word = static_cast<std::uint64_t>(source()) >> (64 - bits);
      if (word != P) return from_representative(word);
    }
  }

  /// The representative in [0, P).
  constexpr std::uint64_t value() const { return value_; }

  constexpr PrimeField operator-() const { return from_representative(value_ ? P - value_ : 0); }
  friend constexpr PrimeField operator+(PrimeField a, PrimeField b) { return canonical(a.value_ + b.value_); }
  friend constexpr PrimeField operator-(PrimeField a, PrimeField b) {
    return from_representative(a.value_ - b.value_ + (a.value_ < b.value_ ? P : 0));
  }
  friend constexpr PrimeField operator*(PrimeField a, PrimeField b) {
    return canonical(static_cast<std::uint64_t>(fold(Product{a.value_} * b.value_)));
  }
  /// Throws std::domain_error when b = 0.
  friend constexpr PrimeField operator/(PrimeField a, PrimeField b) { return a * b.inverse(); }
  friend constexpr bool operator==(PrimeField a, PrimeField b) = default;

  constexpr PrimeField& operator+=(PrimeField b) { return *this = *this + b; }
  constexpr PrimeField& operator-=(PrimeField b) { return *this = *this - b; }
  constexpr PrimeField& operator*=(PrimeField b) { return *this = *this * b; }
  constexpr PrimeField& operator/=(PrimeField b) { return *this = *this / b; }

  /// x^(P-2), Fermat. Throws std::domain_error when x = 0.
  constexpr PrimeField inverse() const {
    if (value_ == 0) throw std::domain_error("division by zero in " + arithmetic_name());
    return integer_power(*this, static_cast<std::int64_t>(P - 2));
  }

  friend std::ostream& operator<<(std::ostream& out, PrimeField a) { return out << a.value_; }

 private:
  using Product = std::conditional_t<(bits > 32), unsigned __int128, std::uint64_t>;

  std::uint64_t value_ = 0;

  static constexpr PrimeField from_representative(std::uint64_t value) {
    PrimeField a;
    a.value_ = value;
    return a;
  }

  /// 2^bits = 1 (mod P): the high part is added to the low one.
  template <class Z>
  static constexpr Z fold(Z z) {
    return (z & P) + (z >> bits);
  }

  /// z < 2P.
  static constexpr PrimeField canonical(std::uint64_t z) { return from_representative(z >= P ? z - P : z); }

  template <Integer I>
  static constexpr std::uint64_t representative(I n) {
    const bool negative = n < 0;
    const PrimeField magnitude = reduce(negative ? 0 - static_cast<std::uint64_t>(n) : static_cast<std::uint64_t>(n));
    return (negative ? -magnitude : magnitude).value_;
  }
};

using F61 = PrimeField<(std::uint64_t{1} << 61) - 1>;
using F31 = PrimeField<(std::uint64_t{1} << 31) - 1>;

}  // namespace assay
