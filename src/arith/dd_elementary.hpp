#pragma once

#include "arith/double_double.hpp"

namespace assay {

struct SinCos {
  DoubleDouble sin;
  DoubleDouble cos;
};

/// Error bounds of the functions below, scalar and by lanes: the same algorithm and the same bits. Derived in
/// bounds.md, section 3; u = 2^-53.
namespace double_double_bound {
inline constexpr double exp = 8 * unit * unit;            ///< relative to e^x
inline constexpr double exp_absolute = 0x1p-1021;         ///< to be added
inline constexpr double tanh = 40 * unit * unit;          ///< relative to tanh x
inline constexpr double sincos = 5 * unit * unit;         ///< absolute
inline constexpr double log = 2 * unit * unit;            ///< relative to log x
inline constexpr double log_absolute = 13 * unit * unit;  ///< to be added
inline constexpr double largest_exp_argument = 709;
inline constexpr double largest_sincos_argument = 0x1p32;
}  // namespace double_double_bound

/// e^x for x <= 709, also x = -inf. Throws std::domain_error with the value otherwise.
/// |error| <= double_double_bound::exp e^x + double_double_bound::exp_absolute; below -708 the value is 0.
DoubleDouble exp(DoubleDouble x);

/// log x for 2^-900 <= x <= 2^900; throws std::domain_error with the value otherwise.
/// |error| <= double_double_bound::log |log x| + double_double_bound::log_absolute.
DoubleDouble log(DoubleDouble x);

/// |error| <= double_double_bound::tanh |tanh x| + double_double_bound::underflow, every x but NaN (std::domain_error).
DoubleDouble tanh(DoubleDouble x);

/// |error| <= double_double_bound::sincos for |x| <= 2^32; throws std::domain_error with the value otherwise.
SinCos sincos(DoubleDouble x);
DoubleDouble sin(DoubleDouble x);
DoubleDouble cos(DoubleDouble x);

}  // namespace assay
