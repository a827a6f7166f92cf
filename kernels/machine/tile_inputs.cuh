#pragma once

#include <cmath>

#include "arith/float_format.hpp"
#include "kernels/machine/exponent_lattice.cuh"
#include "kernels/machine/tensor_core_classes.hpp"

namespace assay::generated {

inline constexpr int tile_rows = 64;  ///< of A and C: four mma.sync, or one wgmma
inline constexpr int tile_columns = 8;
inline constexpr int tile_outputs = tile_rows * tile_columns;

/// The float of these bits in storage, cut toward zero. Tf32 keeps what lies in the 13 bits that are ignored.
template <class T>
ASSAY_HOST_DEVICE T stored(std::uint32_t bits) {
  if constexpr (std::is_same_v<T, Tf32>) {
    return {bits};
  } else if constexpr (std::is_same_v<T, Bf16>) {
    return {static_cast<std::uint16_t>(bits >> 16)};
  } else {
    const std::uint32_t sign = bits >> 16 & 0x8000u, magnitude = bits & 0x7fffffffu;
    const int field = static_cast<int>(magnitude >> 23);
    if (field >= 143) return {static_cast<std::uint16_t>(sign | (magnitude > 0x7f800000u ? 0x7fffu : 0x7c00u))};
    if (field >= 113) return {static_cast<std::uint16_t>(sign | ((magnitude >> 13) - (112u << 10)))};
    const int shift = 126 - field;  // a subnormal counts units of 2^-24
    const std::uint32_t significand = (magnitude & 0x7fffffu) | 0x800000u;
    return {static_cast<std::uint16_t>(sign | (shift > 31 ? 0u : significand >> shift))};
  }
}

/// Operands of D [64,8] = A [64,K] B [K,8] + C, element by element: each follows from class, tile and place alone.
template <class T, int K>
class TileInputs {
  using Twist = TensorCoreClass::Twist;
  enum class Matrix { a, b, c };

 public:
  ASSAY_HOST_DEVICE TileInputs(const TensorCoreClass& kind, std::uint64_t tile)
      : kind_(kind), key_(mixed(draw(kind.seed, tile))), lattice_(key_, tile) {}

  ASSAY_HOST_DEVICE T a(int row, int k) const {
    return kind_.twist == Twist::lattice ? stored<T>(lattice_.a(row, k, draw(key_, place(Matrix::a, row, k))))
                                         : operand(Matrix::a, row, k);
  }
  ASSAY_HOST_DEVICE T b(int k, int column) const {
    return kind_.twist == Twist::lattice ? stored<T>(lattice_.b(k, draw(key_, place(Matrix::b, column, k))))
                                         : operand(Matrix::b, column, k);
  }
  ASSAY_HOST_DEVICE float c(int row, int column) const {
    const std::uint64_t bits = draw(key_, place(Matrix::c, row, column));
    if (kind_.twist == Twist::lattice) return float_from_bits(lattice_.c(column, bits));
    if (kind_.twist == Twist::cancelling_c) return opposite(row, column, bits);
    return float_from_bits(twisted(Matrix::c, number<float>(kind_.c, bits), bits));
  }

 private:
  /// The number of an element's draw: row i of A or C, column i of B.
  ASSAY_HOST_DEVICE static std::uint64_t place(Matrix matrix, int i, int j) {
    const int start = matrix == Matrix::a ? 0 : matrix == Matrix::b ? 1024 : 2048;
    return static_cast<std::uint64_t>(start + i * (matrix == Matrix::c ? tile_columns : K) + j);
  }

  /// The bits of a float ±f 2^e with a uniform exponent, cut to those of U, and a uniform fraction.
  template <class U>
  ASSAY_HOST_DEVICE static std::uint32_t number(Exponents exponents, std::uint64_t bits) {
    constexpr int least = format_of<U>.emin - format_of<U>.fraction_bits(), most = format_of<U>.emax;
    const int low = exponents.low < least ? least : exponents.low > most ? most : exponents.low;
    const int high = exponents.high < low ? low : exponents.high > most ? most : exponents.high;
    return float_code(bits >> 31 & 1u, between(low, high, bits), static_cast<std::uint32_t>(bits) & 0x7fffffu);
  }

  /// Row i of A or column i of B at k.
  ASSAY_HOST_DEVICE T operand(Matrix matrix, int i, int k) const {
    const bool paired = kind_.twist == Twist::cancelling_pairs && k % 2 == 1;
    const std::uint64_t bits = draw(key_, place(matrix, i, paired ? k - 1 : k));
    if (kind_.twist == Twist::any_bits) return raw(static_cast<std::uint32_t>(bits));
    std::uint32_t code = twisted(matrix, number<T>(matrix == Matrix::a ? kind_.a : kind_.b, bits), bits);
    if (paired) {
      if (matrix == Matrix::b) code ^= 0x80000000u;
      if (draw(key_, place(matrix, i, k)) % 8 == 0) code = float_bits(float_from_bits(code) * 1.0078125f);
    }
    if (kind_.twist == Twist::one_large && k > 0)
      code = float_bits(float_from_bits(code) * (matrix == Matrix::a ? 0x1p-14f : 0x1p-12f));
    return stored<T>(code);
  }

  ASSAY_HOST_DEVICE static T raw(std::uint32_t bits) {
    if constexpr (std::is_same_v<T, Tf32>)
      return {bits};
    else
      return {static_cast<std::uint16_t>(bits)};
  }

  /// What the class makes of the bits of one number.
  ASSAY_HOST_DEVICE std::uint32_t twisted(Matrix matrix, std::uint32_t code, std::uint64_t bits) const {
    const std::uint32_t sign = code & 0x80000000u;
    const std::uint64_t chance = mixed(bits);
    switch (kind_.twist) {
      case Twist::short_fractions:
        return code & 0xffe00000u;
      case Twist::mostly_zero_a:
        return matrix != Matrix::b && chance % 3 != 0 ? sign : code;
      case Twist::mostly_zero_c:
        return matrix == Matrix::c && chance % 3 != 0 ? sign : code;
      case Twist::zero_a:
        return matrix == Matrix::a || (matrix == Matrix::c && chance % 8 != 0) ? sign : code;
      case Twist::positive:
        return matrix == Matrix::c ? code : code & 0x7fffffffu;
      case Twist::one_large:
        return code & 0x7fffffffu;
      case Twist::specials:
        return special(code, chance);
      case Twist::any_bits:
        return static_cast<std::uint32_t>(bits);
      default:
        return code;
    }
  }

  /// One in forty is special: an infinity, seldom a NaN or a zero.
  ASSAY_HOST_DEVICE static std::uint32_t special(std::uint32_t code, std::uint64_t chance) {
    if (chance % 40 != 0) return code;
    const std::uint32_t sign = code & 0x80000000u;
    const std::uint64_t which = chance / 40 % 12;
    return which == 0 ? 0x7fffffffu : which == 1 ? sign : sign | 0x7f800000u;
  }

  /// Nearly minus the sum of products, added up in float.
  ASSAY_HOST_DEVICE float opposite(int row, int column, std::uint64_t bits) const {
    float sum = 0;
    for (int k = 0; k < K; ++k) sum = fmaf(to_float(a(row, k)), to_float(b(k, column)), sum);
    return -sum * (1.0f + static_cast<float>(between(0, 6, bits)) * 0x1p-23f);
  }

  TensorCoreClass kind_;
  std::uint64_t key_;
  ExponentLattice<T> lattice_;
};

}  // namespace assay::generated
