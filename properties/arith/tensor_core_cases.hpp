#pragma once

#include <vector>

#include "kernels/machine/tile_inputs.cuh"
#include "problem/draw.hpp"

namespace assay {

/// Operands of one instruction: a [16,K], b [8,K] (B is column-major), c [16,8].
template <class T>
struct TensorCoreCase {
  std::vector<T> a, b;
  std::vector<float> c;
};

/// Sixteen rows of any tile of the class: the inputs that machines are asked with.
template <class T, int K>
TensorCoreCase<T> draw_case(const generated::TensorCoreClass& kind, Draw& draw) {
  const generated::TileInputs<T, K> inputs(kind, draw.bits());
  const int first_row = 16 * static_cast<int>(draw.below(4));
  TensorCoreCase<T> out;
  for (int m = 0; m < 16; ++m)
    for (int k = 0; k < K; ++k) out.a.push_back(inputs.a(first_row + m, k));
  for (int n = 0; n < 8; ++n)
    for (int k = 0; k < K; ++k) out.b.push_back(inputs.b(k, n));
  for (int m = 0; m < 16; ++m)
    for (int n = 0; n < 8; ++n) out.c.push_back(inputs.c(first_row + m, n));
  return out;
}

}  // namespace assay
