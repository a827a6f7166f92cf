#pragma once

#include <cstdint>
#include <cstring>

#include "simt/simt.cuh"

namespace assay::simt {
namespace runtime {

/// ldmatrix: lane 8m + r gives the address of row r of matrix m, eight 16-bit elements in shared memory; lane l
/// receives elements (l / 4, 2 (l % 4)) and the next of every matrix, or of its transpose.
void load_matrices(unsigned* registers, int matrices, bool transposed, const void* row, Place place);

}  // namespace runtime

inline namespace ASSAY_MACHINE {

template <int matrices, bool transposed>
__forceinline__ void ldmatrix(unsigned (&registers)[matrices], const void* row, Place place) {
  runtime::load_matrices(registers, matrices, transposed, row, place);
}

}  // namespace ASSAY_MACHINE
}  // namespace assay::simt
