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

/// o_r = Σ_f w[r, f] x_f.
struct RowSumBlock {
  std::size_t rows, features, lanes;
  std::size_t feature_stride;
  ConstPairs w;          ///< [rows, features]; lo null where all are doubles
  const double* x;       ///< [features, lanes], |x| <= 1
  const double* window;  ///< [rows]: 3/2 of a power of two >= 2 Σ|w|
  Pairs output;          ///< [rows, lanes]
};

/// What a step of the delta rule takes for all lanes. Widths of windows are powers of two; a rounding is multiplied by
/// the width that it belongs to. See delta_scan.hpp.
struct DeltaStep {
  double beta;
  double decay_width, key_width, query_width;             ///< about max |lambda|, |k|, |q|
  double beta_size, key_norm, query_norm;                 ///< |beta|, |k|, |q|
  double transition_norm;                                 ///< of the step
  double growth;                                          ///< of the block up to the step
  double carried_rounding, state_rounding, dot_rounding;  ///< in units of the windows of Lambda S, S and S
};

/// Numbers in planes re and im; im is null where everything is real.
struct Planes {
  double* re;
  double* im;
};
struct ConstPlanes {
  const double* re;
  const double* im;
};

/// Widths of a delta block's windows are 0 or at least this: then no residue underflows (bounds.md, section 5).
inline constexpr double least_delta_width = 0x1p-500;

/// Features of a delta block come in multiples of this: what is summed between two carries.
inline constexpr std::size_t delta_features = 8;

/// Up to block_steps steps of S' = Lambda S, w = beta (v - S'* k), S = S' + k w*, o = S* q.
struct DeltaBlock {
  std::size_t steps, features, lanes;  ///< lanes is a multiple of lane_multiple and the stride of v and the outputs
  const DeltaStep* step;               ///< [steps]
  ConstPlanes k, q;                    ///< [steps, features]
  ConstPlanes lambda_hi, lambda_lo;    ///< [steps, features]
  ConstPlanes v;                       ///< [steps, lanes]
  Planes state_hi, state_lo;           ///< [lanes / lane_multiple, features, lane_multiple]
  double* width;                       ///< [lanes]: of the state's window
  double* largest_width;               ///< [lanes]
  const double* start_radius;          ///< [lanes]: of the state before the block
  double* added_radius;                ///< [lanes]: what the steps of the block add to it
  Planes output_hi, output_lo;         ///< [steps, lanes]
  double* output_radius;               ///< [steps, lanes]
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
  void (*row_sums)(const RowSumBlock& block);
  void (*delta_block)(const DeltaBlock& block);
};

extern const LaneKernels portable_kernels;
extern const LaneKernels avx2_kernels;
extern const LaneKernels avx512_kernels;

}  // namespace assay::dd
