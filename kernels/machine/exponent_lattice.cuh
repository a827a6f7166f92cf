#pragma once

#include "arith/float_format.hpp"
#include "kernels/machine/counter.cuh"

namespace assay::generated {

/// The bits of the float ±1.f 2^e, e >= -149, cut toward zero where it is subnormal.
ASSAY_HOST_DEVICE std::uint32_t float_code(bool negative, int e, std::uint32_t fraction) {
  const std::uint32_t sign = negative ? 0x80000000u : 0u;
  return e >= -126 ? sign | static_cast<std::uint32_t>(e + 127) << 23 | fraction
                   : sign | (fraction | 0x800000u) >> (-126 - e);
}

/// The exponents of one tile of the lattice. Tiles run through every exponent E = 2 emin … 2 emax of the first product,
/// the largest, and every exponent of C, those of subnormals included, seven a tile, and a C of zero, without which E
/// would never be below -126. Row m puts the other products at the cut: at most three binades below
/// max(E, -133) - 25 + m mod 16 - 8.
template <class T>
class ExponentLattice {
 public:
  ASSAY_HOST_DEVICE ExponentLattice(std::uint64_t key, std::uint64_t tile) : key_(key) {
    constexpr std::uint64_t stride = 7919;  // a prime that divides no number of cells: neighbours are far apart
    const int cell = static_cast<int>(tile * stride % cells);
    largest_ = 2 * format.emin + cell / groups_of_c;
    group_ = cell % groups_of_c;
    const int low = largest_ - format.emax, high = largest_ - format.emin;
    b0_ = between(low > format.emin ? low : format.emin, high < format.emax ? high : format.emax, draw(key, 4096));
  }

  /// The bits of A's element (row, k), B's (k, column) and C's (row, column) as floats, from one draw each. Half of the
  /// rows have two products that are not zero.
  ASSAY_HOST_DEVICE std::uint32_t a(int row, int k, std::uint64_t bits) const {
    if (row >= 32 && k >= 2) return static_cast<std::uint32_t>(bits) & 0x80000000u;
    return number(k == 0 ? largest_ - b0_ : bounded(cut() + row % 16 - 8 - below_cut(k) - b_exponent(k)), bits);
  }
  ASSAY_HOST_DEVICE std::uint32_t b(int k, std::uint64_t bits) const { return number(b_exponent(k), bits); }
  ASSAY_HOST_DEVICE std::uint32_t c(int column, std::uint64_t bits) const {
    if (column == exponents_a_tile) return static_cast<std::uint32_t>(bits) & 0x80000000u;
    const int exponent = least_of_c + exponents_a_tile * group_ + column;
    return number(exponent < float32_format.emax ? exponent : float32_format.emax, bits);
  }

  static constexpr FloatFormat format = format_of<T>;
  static constexpr int least_of_c = float32_format.emin - float32_format.fraction_bits();
  static constexpr int exponents_a_tile = 7;
  static constexpr int groups_of_c = (float32_format.emax - least_of_c) / exponents_a_tile + 1;
  static constexpr int cells = (2 * (format.emax - format.emin) + 1) * groups_of_c;

 private:
  /// Every other fraction is the least or the largest.
  ASSAY_HOST_DEVICE static std::uint32_t number(int exponent, std::uint64_t bits) {
    const std::uint32_t drawn = static_cast<std::uint32_t>(bits) & 0x7fffffu;
    const unsigned choice = static_cast<unsigned>(bits >> 24) & 3u;
    return float_code(bits >> 31 & 1u, exponent, choice == 0 ? 0u : choice == 1 ? 0x7fffffu : drawn);
  }
  ASSAY_HOST_DEVICE int b_exponent(int k) const {
    if (k == 0) return b0_;
    return bounded(cut() / 2 + between(-3, 3, draw(key_, 4096 + static_cast<std::uint64_t>(k))));
  }
  ASSAY_HOST_DEVICE int cut() const {
    constexpr int floor = -133, kept_fraction_bits = 25;
    return (largest_ > floor ? largest_ : floor) - kept_fraction_bits;
  }
  ASSAY_HOST_DEVICE int below_cut(int k) const {
    return static_cast<int>(draw(key_, 5120 + static_cast<std::uint64_t>(k)) & 3u);
  }
  ASSAY_HOST_DEVICE static int bounded(int exponent) {
    constexpr int least = format.emin - format.fraction_bits();
    return exponent < least ? least : exponent > format.emax ? format.emax : exponent;
  }

  std::uint64_t key_;
  int largest_, group_, b0_;
};

}  // namespace assay::generated
