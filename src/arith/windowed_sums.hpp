#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "arith/dd_lanes.hpp"
#include "arith/double_double.hpp"

namespace assay {

/// Sums of products on every lane, each kept in a *window*: the sum h starts at 3/2 W, W a power of two that is at
/// least twice any partial sum, so that h never leaves [W, 2W), its unit in the last place never changes, and what an
/// addition rounds away is known exactly from three operations. Each term costs five (a double) or six (a pair), which
/// is less than half of a compensated sum. Errors are relative to the sum of the absolute values: bounds.md, section 4.

/// rows x lanes doubles, every lane divided by a power of two so that no entry exceeds 1: exactly, or
/// std::domain_error. Padded like a LaneArray.
class ScaledRows {
 public:
  /// `values` is row-major, rows x lanes; beyond 2^400, infinity or NaN throws std::domain_error. `floors`, if given,
  /// holds for every lane a magnitude that its scale exceeds, too.
  ScaledRows(std::size_t rows, std::size_t lanes, std::span<const double> values, std::span<const double> floors = {});

  std::size_t rows() const { return rows_; }
  std::size_t lanes() const { return scales_.size(); }
  std::size_t stride() const { return stride_; }
  const double* row(std::size_t i) const { return scaled_.data() + i * stride_; }

  /// Entry (i, lane) is row(i)[lane] * scale(lane).
  double scale(std::size_t lane) const { return scales_[lane]; }

 private:
  std::size_t rows_, stride_;
  std::vector<double> scales_;
  std::vector<double, CacheLineAllocator<double>> scaled_;
};

/// Values of a linear scan with a certificate: computed and exact values differ by at most the radius times the scale
/// of the lane, the least power of two above every |v[t, j]| and |S_0[f, j]|.
struct LinearScan {
  LaneArray output;                   ///< [steps, lanes]
  LaneArray state;                    ///< [features, lanes], after the last step
  std::vector<double> output_radius;  ///< [steps]
  std::vector<double> state_radius;   ///< [features]
  std::vector<double> scale;          ///< [lanes]
};

/// Given features, [rows, features], row t at t * stride of both arrays.
struct FeatureRows {
  std::size_t rows, features, stride;
  const double* high;
  const double* low;  ///< null where every feature is a double

  FeatureRows(const LaneArray& a)
      : rows(a.rows()), features(a.lanes()), stride(a.stride()), high(a.hi()), low(a.lo()) {}
  FeatureRows(std::size_t rows, std::size_t features, const double* values)
      : rows(rows), features(features), stride(features), high(values), low(nullptr) {}

  FeatureRows part(std::size_t first, std::size_t count) const {
    FeatureRows rows = *this;
    rows.rows = count;
    rows.high += first * stride;
    if (low != nullptr) rows.low += first * stride;
    return rows;
  }
  const double* hi(std::size_t t) const { return high + t * stride; }
  const double* lo(std::size_t t) const { return low == nullptr ? nullptr : low + t * stride; }
};

/// The recurrence of linear attention on every lane j, from given features k and q:
///
///     S_t[f, j] = S_{t-1}[f, j] + k[t, f] v[t, j],    o_t[j] = sum_f q[t, f] S_t[f, j]
///
/// k and q are [steps, features], v is [steps, lanes] row-major, the initial state [features, lanes]; all are taken as
/// exact, and either both are doubles or neither. With m_f = max |S_0[f]| + sum_{s<=t} |k[s, f]|, radii grow like 120 t
/// u^2 m_f for the state and, at each output, by (2 F^2 + 220 F + 600) u^2 sum_f |q_f| m_f at most: bounds.md,
/// section 4.
LinearScan linear_scan(const FeatureRows& k, std::span<const double> v, const FeatureRows& q, LaneArray initial_state,
                       const LaneArithmetic& arithmetic = LaneArithmetic());

/// sum_f w[r, f] x[f, j] with |error| <= radius[r] * scale(j).
struct RowSums {
  LaneArray sums;  ///< [rows, lanes]
  std::vector<double> radius;
};

/// w is [rows, x.rows()].
RowSums weighted_sums_of_rows(const FeatureRows& w, const ScaledRows& x,
                              const LaneArithmetic& arithmetic = LaneArithmetic());

}  // namespace assay
