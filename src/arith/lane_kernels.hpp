#pragma once

#include <cstddef>

#include "arith/dd_tables.hpp"

namespace assay::dd {

/// Rows of double-doubles for the kernels below: entry (i, j) at i * stride + j of both arrays.
struct Pairs {
  double* hi;
  double* lo;
};
struct ConstPairs {
  const double* hi;
  const double* lo;
};

/// Lanes are worked on in multiples of this; rows are padded to it.
inline constexpr std::size_t lane_multiple = 8;

/// Steps that a block of linear_scan takes between two visits of the whole state (windowed_sums.hpp).
inline constexpr std::size_t block_steps = 32;

/// Up to block_steps steps of S_f += k_f v, o = Σ_f q_f S_f; see windowed_sums.hpp for the windows and their purpose.
struct ScanBlock {
  std::size_t steps, features, lanes;  ///< lanes is a multiple of lane_multiple and the stride of v, state and output
  std::size_t feature_stride;
  ConstPairs k, q;              ///< [steps, features]; both lo null where both are doubles
  const double* v;              ///< [steps, lanes], |v| <= 1
  const double* state_window;   ///< [features]: 3/2 of a power of two >= 2 |S_f|
  const double* output_window;  ///< [steps]: the same for o
  Pairs state;                  ///< [features, lanes]
  Pairs output;                 ///< [steps, lanes]
};

/// o = Σ_f w_f x_f.
struct RowSum {
  std::size_t features, lanes;
  ConstPairs w;     ///< [features]
  const double* x;  ///< [features, lanes], |x| <= 1
  double window;    ///< 3/2 of a power of two >= 2 Σ|w|
  Pairs output;     ///< [lanes]
};

/// The lane operations as compiled for one kind of machine. Outputs may be inputs, lane for lane.
struct LaneKernels {
  void (*add)(std::size_t n, Pairs out, ConstPairs a, ConstPairs b);
  void (*multiply)(std::size_t n, Pairs out, ConstPairs a, ConstPairs b);
  void (*divide)(std::size_t n, Pairs out, ConstPairs a, ConstPairs b);
  void (*add_multiple)(std::size_t n, Pairs y, double a_hi, double a_lo, ConstPairs x);
  void (*exp)(std::size_t n, Pairs out, ConstPairs x, const DDTables& tables);
  void (*tanh)(std::size_t n, Pairs out, ConstPairs x, const DDTables& tables);
  void (*sincos)(std::size_t n, Pairs sin, Pairs cos, ConstPairs x, const DDTables& tables);
  void (*scan_block)(const ScanBlock& block);
  void (*row_sum)(const RowSum& sum);
};

extern const LaneKernels portable_kernels;
extern const LaneKernels avx2_kernels;
extern const LaneKernels avx512_kernels;

}  // namespace assay::dd
