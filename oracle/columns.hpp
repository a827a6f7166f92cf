#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

// Vectors cross only functions that are inlined, so that their calling convention without AVX does not matter.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace assay {

/// Four neighbouring columns of a row; operators work on each. Bits are those of a loop over the columns.
using Columns = double __attribute__((vector_size(32)));

inline constexpr std::size_t columns_a_block = sizeof(Columns) / sizeof(double);

/// Blocks that hold so many columns.
constexpr std::size_t column_blocks(std::size_t columns) { return (columns + columns_a_block - 1) / columns_a_block; }

/// A row in blocks, zeros beyond its last column.
inline std::vector<Columns> in_blocks(std::span<const double> row) {
  std::vector<Columns> blocks(column_blocks(row.size()), Columns{});
  for (std::size_t j = 0; j < row.size(); ++j) blocks[j / columns_a_block][j % columns_a_block] = row[j];
  return blocks;
}

inline double absolute(double x) { return std::abs(x); }
inline Columns absolute(Columns x) {
  using Bits = std::uint64_t __attribute__((vector_size(32)));
  return std::bit_cast<Columns>(std::bit_cast<Bits>(x) & (Bits{} + 0x7fffffffffffffff));
}

inline Columns larger(Columns x, Columns y) { return x > y ? x : y; }

/// a b + c in one rounding.
inline double multiply_add(double a, double b, double c) { return std::fma(a, b, c); }
inline Columns multiply_add(Columns a, Columns b, Columns c) {
  for (std::size_t i = 0; i < columns_a_block; ++i) c[i] = std::fma(a[i], b[i], c[i]);
  return c;
}
inline Columns multiply_add(double a, Columns b, Columns c) { return multiply_add(Columns{a, a, a, a}, b, c); }

/// The power of two in [|x| / 2, |x|]; 0 for 0.
inline Columns leading_bit(Columns x) {
  using Bits = std::uint64_t __attribute__((vector_size(32)));
  return std::bit_cast<Columns>(std::bit_cast<Bits>(x) & (Bits{} + 0x7ff0000000000000));
}

}  // namespace assay
