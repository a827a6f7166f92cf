#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "arith/rounding.hpp"
#include "problem/draw.hpp"

namespace assay {

/// Inclusive exponents from which operands are drawn; cut to those of the operand's format, subnormals included.
struct Exponents {
  int low, high;
};

/// Inputs of one kind for one tensor-core instruction.
struct TensorCoreClass {
  enum class Twist {
    none,
    short_fractions,   ///< no product or sum needs more than 25 bits
    cancelling_pairs,  ///< neighbouring products are nearly opposite
    cancelling_c,      ///< C is nearly minus the sum of products
    mostly_zero_a,     ///< two of three values of A are zeros
    zero_a,            ///< all values of A are zeros, and most of C
    positive,          ///< no minus signs, in A and B
    one_large,         ///< the first product and C as given, the others 2^27 smaller and of their sign
    specials,          ///< some infinities and NaNs
    any_bits,          ///< every bit pattern
  };
  std::string_view name;
  Exponents a, b, c;
  Twist twist = Twist::none;
};

std::span<const TensorCoreClass> tensor_core_classes();

/// Operands as floats: a [16,K], b [8,K], c [16,8].
struct TensorCoreValues {
  std::vector<float> a, b, c;
};

TensorCoreValues draw_values(const TensorCoreClass& kind, const FloatFormat& format, int K, Draw& draw);

/// The same in storage. Tf32 keeps what lies in the 13 bits that are ignored.
template <class T>
struct TensorCoreCase {
  std::vector<T> a, b;
  std::vector<float> c;
};

template <class T>
T store_operand(float x, bool as_bits) {
  if constexpr (std::is_same_v<T, Tf32>) return {std::bit_cast<std::uint32_t>(x)};
  if (as_bits) return from_code<T>(std::bit_cast<std::uint32_t>(x) >> 16);
  return encode<T>(round_to(format_of<T>, x, Rounding::toward_zero));
}

template <class T>
TensorCoreCase<T> draw_case(const TensorCoreClass& kind, int K, Draw& draw) {
  const TensorCoreValues values = draw_values(kind, format_of<T>, K, draw);
  const bool as_bits = kind.twist == TensorCoreClass::Twist::any_bits;
  TensorCoreCase<T> out{{}, {}, values.c};
  for (const float x : values.a) out.a.push_back(store_operand<T>(x, as_bits));
  for (const float x : values.b) out.b.push_back(store_operand<T>(x, as_bits));
  return out;
}

}  // namespace assay
