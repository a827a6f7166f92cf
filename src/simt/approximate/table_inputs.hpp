#pragma once

#include <cstdint>

#include "simt/qualifiers.cuh"

// What the tables of approximate instructions hold: results for enough inputs that all others follow from them.

namespace assay::simt::approximate {

#define ASSAY_APPROXIMATE_TABLES(USE) \
  USE(ex2_positive) USE(ex2_negative) USE(lg2_above_one) USE(lg2_below_one) USE(rcp) USE(rsqrt) USE(sin) USE(tanh)

#define ASSAY_TABLE_NAME(name) name,
enum class TableName { ASSAY_APPROXIMATE_TABLES(ASSAY_TABLE_NAME) };
#undef ASSAY_TABLE_NAME

inline constexpr std::uint32_t mantissas = 1u << 23;
inline constexpr std::uint32_t mantissa_mask = mantissas - 1;

/// tanh.approx sees this many bits of the mantissa in the binades from 2^-8 on, and no binade above.
inline constexpr int tanh_binades = 11;
inline constexpr int tanh_lowest = -8;
ASSAY_HOST_DEVICE int tanh_bits(int binade) {
  return binade < 3 ? 17 : binade < 5 ? 18 : binade < 8 ? 19 : binade == 9 ? 21 : 20;
}
/// Entries of the binades below this one.
ASSAY_HOST_DEVICE std::uint32_t tanh_offset(int binade) {
  std::uint32_t offset = 0;
  for (int lower = 0; lower < binade; ++lower) offset += 1u << tanh_bits(lower);
  return offset;
}

ASSAY_HOST_DEVICE std::uint32_t table_size(TableName name) {
  if (name == TableName::rsqrt) return 2 * mantissas;
  return name == TableName::tanh ? tanh_offset(tanh_binades) : mantissas;
}

/// x >= 0 as sin.approx and cos.approx take it: x times the float next to 1/(2π), rounded toward zero, modulo 1 and cut
/// to 25 bits.
ASSAY_HOST_DEVICE std::uint32_t turn_of(float x) {
  const double product = double{x} * 0x1.45f306p-3;  // exact: 48 bits
  const std::uint64_t to_float = ~std::uint64_t{(1u << 29) - 1};
  const double turns = __builtin_bit_cast(double, __builtin_bit_cast(std::uint64_t, product) & to_float);
  if (turns >= 0x1p25) return 0;  // a whole number
  return static_cast<std::uint32_t>(static_cast<std::uint64_t>(turns * 0x1p25)) & ((1u << 25) - 1);
}

/// A float whose turn is i, for i < 2^23: a quarter.
ASSAY_HOST_DEVICE float input_of_turn(std::uint32_t i) {
  std::uint32_t bits = float_bits(static_cast<float>(i * (0x1p-25 / 0x1.45f306p-3)));
  while (bits != 0 && turn_of(float_from_bits(bits)) >= i) --bits;
  while (turn_of(float_from_bits(bits)) < i) ++bits;
  return float_from_bits(bits);
}

/// The input of entry i of a table. Those of ex2 are ±[1, 2), of lg2 [1, 2) and [1/2, 1), of rcp [1, 2), of rsqrt
/// [1, 4), of sin a quarter turn, of tanh [2^-8, 8).
ASSAY_HOST_DEVICE float table_input(TableName name, std::uint32_t i) {
  if (name == TableName::sin) return input_of_turn(i);
  if (name == TableName::tanh) {
    int binade = 0;
    while (tanh_offset(binade + 1) <= i) ++binade;
    const std::uint32_t mantissa = (i - tanh_offset(binade)) << (23 - tanh_bits(binade));
    return float_from_bits(static_cast<std::uint32_t>(127 + tanh_lowest + binade) << 23 | mantissa);
  }
  const std::uint32_t first = name == TableName::ex2_negative    ? 0xbf800000u
                              : name == TableName::lg2_below_one ? 0x3f000000u
                                                                 : 0x3f800000u;
  return float_from_bits(first + i);
}

}  // namespace assay::simt::approximate
