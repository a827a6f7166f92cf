#pragma once

#include <cstdint>

namespace assay {

/// x^n in any ring with 1; n < 0 asks for a field (throws what division by zero throws). 0^0 = 1.
template <class K>
constexpr K integer_power(const K& x, std::int64_t n) {
  auto remaining = n < 0 ? 0 - static_cast<std::uint64_t>(n) : static_cast<std::uint64_t>(n);
  K power(1);
  for (K square = x; remaining != 0; remaining >>= 1) {
    if (remaining & 1) power = power * square;
    if (remaining > 1) square = square * square;
  }
  return n < 0 ? K(1) / power : power;
}

}  // namespace assay
