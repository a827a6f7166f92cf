#pragma once

#include <cstdint>

#include "problem/tensor.hpp"

namespace assay {

/// |element i of got - want| in units in the last place of want in got's format (of the least normal number below it).
double ulp_distance(const Tensor& got, std::int64_t i, double want);

/// Unit roundoff of a floating-point format: half the distance from 1 to the next number.
double unit_roundoff(Format format);

}  // namespace assay
