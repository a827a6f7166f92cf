#include "problem/values.hpp"

#include <cmath>

namespace assay {

double uniform_dyadic(Draw& draw, int bits) {
  const std::uint64_t n = draw.below(std::uint64_t{2} << bits);
  return std::ldexp(static_cast<double>(n) - std::ldexp(1.0, bits), -bits);
}

double bell_dyadic(Draw& draw, int bits) {
  double sum = 0;
  for (int i = 0; i < 4; ++i) sum += uniform_dyadic(draw, bits);
  // A uniform draw has variance 1/3: four of them 4/3, and 7/8 is sqrt(3/4) to three digits in a dyadic number.
  return sum * 0.875;
}

double scaled_dyadic(Draw& draw, int low, int high) {
  const int exponent = low + static_cast<int>(draw.below(static_cast<std::uint64_t>(high - low) + 1));
  const double size = 1 + std::ldexp(static_cast<double>(draw.below(std::uint64_t{1} << 24)), -24);
  return std::ldexp(draw.below(2) == 0 ? size : -size, exponent);
}

double shortened(double x, Format format) {
  if (is_field(format) || format == Format::i64) return std::trunc(x);
  const double spacing = ulp(float_format(format), x);
  return std::isfinite(x) ? std::trunc(x / spacing) * spacing : x;
}

}  // namespace assay
