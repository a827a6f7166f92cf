#include "arith/dd_elementary.hpp"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "arith/dd_algorithms.hpp"

namespace assay {

DoubleDouble exp(DoubleDouble x) {
  if (!(x.hi <= double_double_bound::largest_exp_argument))
    throw std::domain_error(fmt::format("exp({:a}): needs x <= 709", x.hi));
  return dd::exp(x, dd_tables());
}

/// log x = y + log(1 + z), z = x e^-y - 1, with y the logarithm in double rounded to a multiple of 2^-24, so that |z|
/// <= 2^-24 and the last bits of the library's logarithm do not matter.
DoubleDouble log(DoubleDouble x) {
  if (!(x.hi >= 0x1p-900 && x.hi <= 0x1p900))
    throw std::domain_error(fmt::format("log({:a}): needs 2^-900 <= x <= 2^900", x.hi));
  const double y = std::round(std::log(x.hi) * 0x1p24) * 0x1p-24;
  const DoubleDouble z = x * dd::exp(DoubleDouble(-y), dd_tables()) - 1.0;
  const double cubic = z.hi * z.hi * z.hi * (1.0 / 3 - z.hi / 4);
  return z - z * z * 0.5 + cubic + y;
}

DoubleDouble tanh(DoubleDouble x) {
  if (std::isnan(x.hi)) throw std::domain_error("tanh(nan): needs a number");
  return dd::tanh(x, dd_tables());
}

SinCos sincos(DoubleDouble x) {
  if (!(std::abs(x.hi) <= double_double_bound::largest_sincos_argument))
    throw std::domain_error(fmt::format("sincos({:a}): needs |x| <= 2^32", x.hi));
  return dd::sincos(x, dd_tables());
}

DoubleDouble sin(DoubleDouble x) { return sincos(x).sin; }
DoubleDouble cos(DoubleDouble x) { return sincos(x).cos; }

}  // namespace assay
