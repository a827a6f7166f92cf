#pragma once

#include <cstdint>

#include "arith/complex.hpp"
#include "arith/integer_power.hpp"

// What stands for exp and for a point of the circle over a field: powers of a fixed element, so that sums of exponents
// and of phases become products as they do over the reals.

namespace assay {

/// The logarithm of 0 in a field.
template <class F>
constexpr F field_log_of_zero = F(-1);

/// e^z for a whole number z: 7^z; 0 where z is field_log_of_zero.
template <class F>
constexpr F field_exp(F z) {
  return z == field_log_of_zero<F> ? F(0) : integer_power(F(7), static_cast<std::int64_t>(z.value()));
}

/// z as a whole number of either sign, the one nearer to 0.
template <class F>
constexpr std::int64_t signed_integer(F z) {
  const auto value = static_cast<std::int64_t>(z.value());
  return z.value() > F::order / 2 ? value - static_cast<std::int64_t>(F::order) : value;
}

/// e^z for a whole number z of either sign, which needs no element for the logarithm of 0: sums of such exponents are
/// products of their powers where no sum leaves (-p/2, p/2).
template <class F>
constexpr F field_exp_of_signed(F z) {
  const std::int64_t exponent = signed_integer(z);
  return integer_power(F(7), exponent < 0 ? exponent + static_cast<std::int64_t>(F::order - 1) : exponent);
}

/// e^i in a field: (3 + 4i) / 5, a point of the circle.
template <class F>
constexpr Cx<F> field_phase_of_one = Cx<F>(F(3) / F(5), F(4) / F(5));

/// e^{iz} for a whole number z.
template <class F>
constexpr Cx<F> field_phase(F z) {
  return integer_power(field_phase_of_one<F>, static_cast<std::int64_t>(z.value()));
}

}  // namespace assay
