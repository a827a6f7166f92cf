#pragma once

#include "problem/precision.hpp"

/// Contracts that plain implementations of the delta rule keep: sums in any order, functions right to one unit in the
/// last place.
namespace assay::sfda {

inline Contract scan_steps(Format format = Format::f32) {
  return {.algorithm = Algorithm::scan,
          .input = format,
          .output = format,
          .order = Order::any,
          .update_height = 1,
          .elementary_ulp = {{"exp", 1}, {"cos", 1}, {"sin", 1}}};
}

/// Chunks of at most 64 tokens, widths of at most 64.
inline Contract chunk_steps(Product product) {
  const bool bf16 = product == Product::bf16, fma = product == Product::fma;
  const Format format = bf16 ? Format::bf16 : Format::f32, operand = bf16 ? Format::bf16 : Format::f32;
  return {.algorithm = Algorithm::chunk,
          .input = format,
          .product = product,
          .features = operand,
          .weights = operand,
          .state_operand = operand,
          .output = format,
          .order = Order::any,
          .tf32_input = Tf32Input::rna,
          .chunk = 64,
          .mma_chain = fma                        ? 0
                       : bf16                     ? 4
                       : product == Product::tf32 ? 8
                                                  : 24,
          .score_height = 2 * 64 + 2,
          .value_height = 2 * 64 + 2,
          .read_height = 2 * 64 + 2,
          .update_height = 2 * 64 + 2,
          .elementary_ulp = {{"exp", 1}, {"cos", 1}, {"sin", 1}}};
}

}  // namespace assay::sfda
