#pragma once

#include <cstdint>

#include "arith/complex.hpp"
#include "arith/float_format.hpp"
#include "arith/prime_field.hpp"
#include "arith/rounding.hpp"
#include "problem/tensor.hpp"

namespace assay {

template <>
struct FormatOf<float> {
  static constexpr Format value = Format::f32;
};
template <>
struct FormatOf<Bf16> {
  static constexpr Format value = Format::bf16;
};
template <>
struct FormatOf<Fp16> {
  static constexpr Format value = Format::fp16;
};
template <>
struct FormatOf<std::int64_t> {
  static constexpr Format value = Format::i64;
};
template <>
struct FormatOf<F61> {
  static constexpr Format value = Format::gf61;
};
template <>
struct FormatOf<F31> {
  static constexpr Format value = Format::gf31;
};
template <>
struct FormatOf<Cx<F61>> {
  static constexpr Format value = Format::gf61_complex;
};

}  // namespace assay
