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
