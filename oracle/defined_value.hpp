#pragma once

#include <cmath>
#include <cstddef>

#include "arith/multiprecision.hpp"
#include "problem/oracle.hpp"

namespace assay {

/// Stores a value of the definition at 50 digits as element i; the radius is that of writing it as two doubles.
inline void set(Reference& reference, std::size_t i, const Mpfr50& x) {
  const DoubleDouble value = to_double_double(x);
  reference.hi[i] = value.hi;
  reference.lo[i] = value.lo;
  reference.radius[i] = 0x1p-105 * std::abs(value.hi);
}

}  // namespace assay
