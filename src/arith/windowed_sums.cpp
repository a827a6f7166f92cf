#include "arith/windowed_sums.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "arith/lane_kernels.hpp"

namespace assay {
namespace {

using double_double_bound::unit;
constexpr double u2 = unit * unit;

/// Covers the rounding of a bound that is itself computed in double, by at most 2^12 operations.
constexpr double enlarge = 1 + 0x1p-40;

// Scales and widths stay in a range in which no residue underflows and no product overflows (bounds.md, section 4).
constexpr double largest_entry = 0x1p400;
constexpr double largest_sum = 0x1p498;
constexpr double least_width = 0x1p-500;

/// The least power of two above |x|; 1 for x = 0.
double power_of_two_above(double x) { return x == 0 ? 1 : std::ldexp(1.0, std::ilogb(x) + 1); }

/// W >= 2 (1 + 2^-10) `largest`.
double window_width(double largest) {
  if (!(largest <= largest_sum))
    throw std::domain_error(fmt::format("windowed sum: absolute values add up to {:a}: needs at most 2^498", largest));
  return std::max(power_of_two_above(largest * (2 + 0x1p-9)), least_width);
}

/// Σ |a_i| b_i, in eight interleaved parts.
double sum_of_magnitudes(const double* a, const double* b, std::size_t n) {
  double part[8] = {};
  std::size_t i = 0;
  for (; i + 8 <= n; i += 8)
    for (std::size_t j = 0; j < 8; ++j) part[j] += std::abs(a[i + j]) * b[i + j];
  for (; i < n; ++i) part[0] += std::abs(a[i]) * b[i];
  return ((part[0] + part[1]) + (part[2] + part[3])) + ((part[4] + part[5]) + (part[6] + part[7]));
}

/// Rounding of a windowed sum of width W after n added doubles, in units of u^2 W (bounds.md, section 4).
double sum_rounding(double n) { return 1.5 + 4.75 * n + 0.75 * n * n; }

/// Windows and error bounds of a linear scan, feature by feature.
class ScanBounds {
 public:
  ScanBounds(const LaneArray& scaled_state)
      : mass_(scaled_state.rows()),
        width_(scaled_state.rows()),
        window_(scaled_state.rows()),
        error_(scaled_state.rows()) {
    for (std::size_t f = 0; f < mass_.size(); ++f)
      for (std::size_t j = 0; j < scaled_state.lanes(); ++j)
        mass_[f] = std::max(mass_[f], std::abs(scaled_state.hi(f)[j]));
  }

  /// Windows wide enough for the steps [first, first + steps).
  void enter_block(const FeatureRows& k, std::size_t first, std::size_t steps) {
    for (std::size_t t = first; t < first + steps; ++t) {
      const double* const row = k.hi(t);
      for (std::size_t f = 0; f < mass_.size(); ++f) mass_[f] += std::abs(row[f]);
    }
    for (std::size_t f = 0; f < mass_.size(); ++f) {
      mass_[f] *= enlarge;
      width_[f] = window_width(mass_[f]);
      window_[f] = 1.5 * width_[f];
    }
  }

  const double* windows() const { return window_.data(); }
  const std::vector<double>& state_radius() const { return error_; }

  /// The width of the window for o = Σ q S.
  double output_width(const double* q_hi) const {
    return window_width(sum_of_magnitudes(q_hi, mass_.data(), mass_.size()));
  }

  /// Radius of o after n steps of the block.
  double output_radius(const double* q_hi, double width, double n) const {
    const double features = static_cast<double>(mass_.size());
    const double from_state = sum_of_magnitudes(q_hi, error_.data(), error_.size());
    const double widths = sum_of_magnitudes(q_hi, width_.data(), width_.size());
    const double readout =
        (features * features + 7 * features) / 2 * width + (features + 3) * (1.5 * (n + 1) + 0.5) * widths;
    return (from_state + u2 * (sum_rounding(n) * widths + readout)) * enlarge;
  }

  void leave_block(double n) {
    for (std::size_t f = 0; f < error_.size(); ++f)
      error_[f] = (error_[f] + u2 * sum_rounding(n) * width_[f]) * enlarge;
  }

 private:
  std::vector<double> mass_;    ///< bounds |S_f| on every lane until the end of the block
  std::vector<double> width_;   ///< W
  std::vector<double> window_;  ///< 3/2 W
  std::vector<double> error_;   ///< of S_f at the start of the block
};

/// Entry (row, j) divided by scale(j), exactly.
LaneArray divided_by_scale(LaneArray a, const ScaledRows& v) {
  for (std::size_t row = 0; row < a.rows(); ++row)
    for (std::size_t j = 0; j < a.lanes(); ++j) {
      const DoubleDouble x = a.at(row, j);
      const DoubleDouble scaled(x.hi / v.scale(j), x.lo / v.scale(j));
      if (scaled.hi * v.scale(j) != x.hi || scaled.lo * v.scale(j) != x.lo)
        throw std::domain_error(
            fmt::format("initial state [{}, {}] = {:a} does not scale by {:a} exactly", row, j, x.hi, v.scale(j)));
      a.set(row, j, scaled);
    }
  return a;
}

/// Entry (row, j) times scale(j).
void multiply_by_scale(LaneArray& a, const ScaledRows& v) {
  for (std::size_t row = 0; row < a.rows(); ++row) {
    double* const hi = a.hi(row);
    double* const lo = a.lo(row);
    for (std::size_t j = 0; j < a.lanes(); ++j) {
      hi[j] *= v.scale(j);
      lo[j] *= v.scale(j);
    }
  }
}

/// Of each lane, with its floor. Throws std::domain_error beyond 2^400.
std::vector<double> largest_magnitudes(std::size_t rows, std::size_t lanes, std::span<const double> values,
                                       std::span<const double> floors) {
  std::vector<double> largest(lanes);
  std::copy(floors.begin(), floors.end(), largest.begin());
  for (std::size_t lane = 0; lane < lanes; ++lane)
    if (!(largest[lane] <= largest_entry))
      throw std::domain_error(fmt::format("initial state of lane {} = {:a}: needs at most 2^400", lane, largest[lane]));
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const double x = std::abs(values[i * lanes + lane]);
      if (!(x <= largest_entry))
        throw std::domain_error(fmt::format("row {} lane {} = {:a}: needs at most 2^400", i, lane, x));
      largest[lane] = std::max(largest[lane], x);
    }
  return largest;
}

std::vector<double> largest_in_each_lane(const LaneArray& a) {
  std::vector<double> largest(a.lanes());
  for (std::size_t row = 0; row < a.rows(); ++row)
    for (std::size_t j = 0; j < a.lanes(); ++j) largest[j] = std::max(largest[j], std::abs(a.hi(row)[j]));
  return largest;
}

void require_scan_shapes(const FeatureRows& k, std::size_t values, const FeatureRows& q, const LaneArray& state) {
  const bool agree =
      q.rows == k.rows && q.features == k.features && state.rows() == k.features && values == k.rows * state.lanes();
  if ((k.low == nullptr) != (q.low == nullptr))
    throw std::invalid_argument("linear scan of doubles and pairs: needs k and q of one kind");
  if (!agree)
    throw std::invalid_argument(
        fmt::format("linear scan of k [{}, {}], q [{}, {}], {} values, state [{}, {}]: needs k and q [T, F], state [F, "
                    "L], T L values",
                    k.rows, k.features, q.rows, q.features, values, state.rows(), state.lanes()));
}

}  // namespace

ScaledRows::ScaledRows(std::size_t rows, std::size_t lanes, std::span<const double> values,
                       std::span<const double> floors)
    : rows_(rows),
      stride_((lanes + dd::lane_multiple - 1) / dd::lane_multiple * dd::lane_multiple),
      scales_(lanes),
      scaled_(rows * stride_, 0.0) {
  if (values.size() != rows * lanes || (!floors.empty() && floors.size() != lanes))
    throw std::invalid_argument(
        fmt::format("{} values and {} floors for {} x {} scaled rows", values.size(), floors.size(), rows, lanes));
  const std::vector<double> largest = largest_magnitudes(rows, lanes, values, floors);
  for (std::size_t lane = 0; lane < lanes; ++lane)
    scales_[lane] = std::max(power_of_two_above(largest[lane]), 1 / largest_entry);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const double x = values[i * lanes + lane];
      const double scaled = x / scales_[lane];
      if (scaled * scales_[lane] != x)
        throw std::domain_error(
            fmt::format("row {} lane {} = {:a}: does not scale by {:a} exactly", i, lane, x, scales_[lane]));
      scaled_[i * stride_ + lane] = scaled;
    }
}

LinearScan linear_scan(const FeatureRows& k, std::span<const double> values, const FeatureRows& q,
                       LaneArray initial_state, const LaneArithmetic& arithmetic) {
  require_scan_shapes(k, values.size(), q, initial_state);
  const ScaledRows v(k.rows, initial_state.lanes(), values, largest_in_each_lane(initial_state));
  LinearScan scan{LaneArray::unset(v.rows(), v.lanes()),
                  divided_by_scale(std::move(initial_state), v),
                  std::vector<double>(v.rows()),
                  {},
                  std::vector<double>(v.lanes())};
  for (std::size_t j = 0; j < v.lanes(); ++j) scan.scale[j] = v.scale(j);
  ScanBounds bounds(scan.state);
  for (std::size_t first = 0; first < v.rows(); first += dd::block_steps) {
    const std::size_t steps = std::min(dd::block_steps, v.rows() - first);
    bounds.enter_block(k, first, steps);
    double output_window[dd::block_steps];
    for (std::size_t n = 0; n < steps; ++n) {
      const double width = bounds.output_width(q.hi(first + n));
      output_window[n] = 1.5 * width;
      scan.output_radius[first + n] = bounds.output_radius(q.hi(first + n), width, n + 1.0);
    }
    arithmetic.kernels().scan_block({.steps = steps,
                                     .features = k.features,
                                     .lanes = v.stride(),
                                     .feature_stride = k.stride,
                                     .k = {k.hi(first), k.lo(first)},
                                     .q = {q.hi(first), q.lo(first)},
                                     .v = v.row(first),
                                     .state_window = bounds.windows(),
                                     .output_window = output_window,
                                     .state = {scan.state.hi(), scan.state.lo()},
                                     .output = {scan.output.hi(first), scan.output.lo(first)}});
    bounds.leave_block(static_cast<double>(steps));
  }
  scan.state_radius = bounds.state_radius();
  multiply_by_scale(scan.state, v);
  multiply_by_scale(scan.output, v);
  return scan;
}

RowSums weighted_sums_of_rows(const FeatureRows& w, const ScaledRows& x, const LaneArithmetic& arithmetic) {
  if (w.features != x.rows())
    throw std::invalid_argument(
        fmt::format("weights [{}, {}] for {} rows: needs [rows, {}]", w.rows, w.features, x.rows(), x.rows()));
  RowSums result{LaneArray::unset(w.rows, x.lanes()), std::vector<double>(w.rows)};
  std::vector<double> windows(w.rows);
  for (std::size_t r = 0; r < w.rows; ++r) {
    double mass = 0;
    for (std::size_t f = 0; f < x.rows(); ++f) mass += std::abs(w.hi(r)[f]);
    const double width = window_width(mass);
    windows[r] = 1.5 * width;
    result.radius[r] = 28.25 * static_cast<double>(x.rows()) * u2 * width * enlarge;
  }
  arithmetic.kernels().row_sums({.rows = w.rows,
                                 .features = x.rows(),
                                 .lanes = x.stride(),
                                 .feature_stride = w.stride,
                                 .w = {w.high, w.low},
                                 .x = x.row(0),
                                 .window = windows.data(),
                                 .output = {result.sums.hi(), result.sums.lo()}});
  multiply_by_scale(result.sums, x);
  return result;
}

}  // namespace assay
