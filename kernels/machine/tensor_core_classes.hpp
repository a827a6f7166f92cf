#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace assay::generated {

/// Inclusive exponents from which operands are drawn; cut to those of the operand's format, subnormals included.
struct Exponents {
  int low = 0, high = 0;
};

/// Inputs of one kind for tensor-core instructions.
struct TensorCoreClass {
  enum class Twist {
    none,
    short_fractions,   ///< no product or sum needs more than 25 bits
    cancelling_pairs,  ///< neighbouring products are nearly opposite
    cancelling_c,      ///< C is nearly minus the sum of products
    mostly_zero_a,     ///< two of three values of A and of C are zeros
    mostly_zero_c,     ///< two of three values of C are zeros
    zero_a,            ///< all values of A are zeros, and most of C
    positive,          ///< no minus signs, in A and B
    one_large,         ///< the first product and C as given, the others 2^26 smaller and of their sign
    specials,          ///< some infinities, NaNs and zeros
    any_bits,          ///< every bit pattern
    lattice,           ///< every exponent of the largest product with every exponent of C: ExponentLattice
  };
  std::string_view name;
  std::uint64_t seed;  ///< tells the draws of one class from those of another
  Exponents a, b, c;
  Twist twist = Twist::none;
};

std::span<const TensorCoreClass> tensor_core_classes();

}  // namespace assay::generated
