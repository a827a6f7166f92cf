#include "judge/ulp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace assay {
namespace {

struct Precision {
  int digits;        ///< significand bits, the hidden one included
  int least_normal;  ///< exponent of the least normal number
};

Precision precision_of(Format format) {
  switch (format) {
    case Format::f32: return {24, -126};
    case Format::bf16: return {8, -126};
    case Format::fp16: return {11, -14};
    default: throw std::invalid_argument(fmt::format("{} has no unit in the last place", name_of(format)));
  }
}

}  // namespace

double ulp_distance(const Tensor& got, std::int64_t i, double want) {
  const double difference = std::abs(got.value(i) - want);
  if (difference == 0 || !std::isfinite(difference)) return difference;
  const auto [digits, least_normal] = precision_of(got.format());
  const int exponent = want == 0 ? least_normal : std::max(std::ilogb(want), least_normal);
  return std::ldexp(difference, digits - 1 - exponent);
}

double unit_roundoff(Format format) { return std::ldexp(1.0, -precision_of(format).digits); }

}  // namespace assay
