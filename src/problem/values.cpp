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

int significand_bits(Format format) {
  switch (format) {
    case Format::bf16: return 8;
    case Format::fp16: return 11;
    case Format::f32: return 24;
    default: return 53;
  }
}

double shortened(double x, Format format) {
  if (x == 0 || !std::isfinite(x)) return x;
  const int drop = std::ilogb(x) + 1 - significand_bits(format);
  const int least = format == Format::fp16 ? -24 : format == Format::bf16 ? -133 : -149;
  const int step = is_field(format) || format == Format::i64 ? 0 : std::max(drop, least);
  return std::ldexp(std::trunc(std::ldexp(x, -step)), step);
}

}  // namespace assay
