// The body of every lane path: plain loops over lanes that vectorise. Lanes never meet, no operation is reordered or
// contracted, so all paths give the same bits. Nothing here has external linkage but what the including file defines.

#include "arith/dd_algorithms.hpp"
#include "arith/lane_kernels.hpp"

namespace assay::dd {
namespace {

DoubleDouble at(ConstPairs x, std::size_t i) { return {x.hi[i], x.lo[i]}; }

void put(Pairs out, std::size_t i, DoubleDouble x) {
  out.hi[i] = x.hi;
  out.lo[i] = x.lo;
}

void add_lanes(std::size_t n, Pairs out, ConstPairs a, ConstPairs b) {
#pragma GCC ivdep
  for (std::size_t i = 0; i < n; ++i) put(out, i, at(a, i) + at(b, i));
}

void multiply_lanes(std::size_t n, Pairs out, ConstPairs a, ConstPairs b) {
#pragma GCC ivdep
  for (std::size_t i = 0; i < n; ++i) put(out, i, at(a, i) * at(b, i));
}

void divide_lanes(std::size_t n, Pairs out, ConstPairs a, ConstPairs b) {
#pragma GCC ivdep
  for (std::size_t i = 0; i < n; ++i) put(out, i, at(a, i) / at(b, i));
}

void add_multiple_lanes(std::size_t n, Pairs y, double a_hi, double a_lo, ConstPairs x) {
  const DoubleDouble a(a_hi, a_lo);
#pragma GCC ivdep
  for (std::size_t i = 0; i < n; ++i) put(y, i, DoubleDouble(y.hi[i], y.lo[i]) + a * at(x, i));
}

void exp_lanes(std::size_t n, Pairs out, ConstPairs x, const DDTables& tables) {
#pragma GCC ivdep
  for (std::size_t i = 0; i < n; ++i) put(out, i, exp(at(x, i), tables));
}

void tanh_lanes(std::size_t n, Pairs out, ConstPairs x, const DDTables& tables) {
#pragma GCC ivdep
  for (std::size_t i = 0; i < n; ++i) put(out, i, tanh(at(x, i), tables));
}

void sincos_lanes(std::size_t n, Pairs sin, Pairs cos, ConstPairs x, const DDTables& tables) {
#pragma GCC ivdep
  for (std::size_t i = 0; i < n; ++i) {
    const SinCos y = sincos(at(x, i), tables);
    put(sin, i, y.sin);
    put(cos, i, y.cos);
  }
}

/// A running sum h + l in a window: h stays in [W, 2W) with h = 3/2 W + sum, so that h - before is exact and the
/// rounding of h, below W 2^-53, is caught in l.
struct WindowedSum {
  double h;
  double l;
};

/// sum + (a_hi + a_lo) x: bounds.md, section 4.
[[gnu::always_inline]] inline WindowedSum add_product(WindowedSum sum, double a_hi, double a_lo, double x) {
  const double h = __builtin_fma(a_hi, x, sum.h);
  const double missed = __builtin_fma(a_hi, x, -(h - sum.h));
  return {h, sum.l + __builtin_fma(a_lo, x, missed)};
}

/// sum + (a_hi + a_lo)(x + x_lo), a_lo x_lo left out.
[[gnu::always_inline]] inline WindowedSum add_product(WindowedSum sum, double a_hi, double a_lo, double x,
                                                      double x_lo) {
  const double h = __builtin_fma(a_hi, x, sum.h);
  const double missed = __builtin_fma(a_hi, x_lo, __builtin_fma(a_hi, x, -(h - sum.h)));
  return {h, sum.l + __builtin_fma(a_lo, x, missed)};
}

/// The sum itself, exactly.
[[gnu::always_inline]] inline DoubleDouble leave(WindowedSum sum, double window) {
  return two_sum(sum.h - window, sum.l);
}

/// Width lanes of a block, from lane `first`.
template <std::size_t Width>
void scan_lanes(const ScanBlock& b, std::size_t first) {
  double* __restrict const state_hi = b.state.hi + first;
  double* __restrict const state_lo = b.state.lo + first;
  for (std::size_t f = 0; f < b.features; ++f) {
    const double window = b.state_window[f];
#pragma GCC ivdep
    for (std::size_t i = f * b.lanes; i < f * b.lanes + Width; ++i) {
      const DoubleDouble entered = fast_two_sum(window, state_hi[i]);
      state_hi[i] = entered.hi;
      state_lo[i] += entered.lo;
    }
  }

  for (std::size_t t = 0; t < b.steps; ++t) {
    alignas(64) double v[Width], o_hi[Width], o_lo[Width];
    for (std::size_t j = 0; j < Width; ++j) {
      v[j] = b.v[t * b.lanes + first + j];
      o_hi[j] = b.output_window[t];
      o_lo[j] = 0;
    }
    for (std::size_t f = 0; f < b.features; ++f) {
      const double window = b.state_window[f];
      const double k_hi = b.k.hi[t * b.feature_stride + f], k_lo = b.k.lo[t * b.feature_stride + f];
      const double q_hi = b.q.hi[t * b.feature_stride + f], q_lo = b.q.lo[t * b.feature_stride + f];
      double* __restrict const hi = state_hi + f * b.lanes;
      double* __restrict const lo = state_lo + f * b.lanes;
#pragma GCC ivdep
      for (std::size_t j = 0; j < Width; ++j) {
        const WindowedSum s = add_product({hi[j], lo[j]}, k_hi, k_lo, v[j]);
        hi[j] = s.h;
        lo[j] = s.l;
        const WindowedSum o = add_product({o_hi[j], o_lo[j]}, q_hi, q_lo, s.h - window, s.l);
        o_hi[j] = o.h;
        o_lo[j] = o.l;
      }
    }
    for (std::size_t j = 0; j < Width; ++j)
      put(b.output, t * b.lanes + first + j, leave({o_hi[j], o_lo[j]}, b.output_window[t]));
  }

  for (std::size_t f = 0; f < b.features; ++f) {
    const double window = b.state_window[f];
#pragma GCC ivdep
    for (std::size_t i = f * b.lanes; i < f * b.lanes + Width; ++i) {
      const DoubleDouble s = leave({state_hi[i], state_lo[i]}, window);
      state_hi[i] = s.hi;
      state_lo[i] = s.lo;
    }
  }
}

void scan_block(const ScanBlock& block) {
  std::size_t first = 0;
  for (; first + 2 * lane_multiple <= block.lanes; first += 2 * lane_multiple)
    scan_lanes<2 * lane_multiple>(block, first);
  for (; first < block.lanes; first += lane_multiple) scan_lanes<lane_multiple>(block, first);
}

template <std::size_t Width>
void sum_lanes(const RowSum& r, std::size_t first) {
  alignas(64) double hi[Width], lo[Width];
  for (std::size_t j = 0; j < Width; ++j) {
    hi[j] = r.window;
    lo[j] = 0;
  }
  for (std::size_t begin = 0; begin < r.features; begin += block_steps) {
    const std::size_t end = begin + block_steps < r.features ? begin + block_steps : r.features;
    for (std::size_t f = begin; f < end; ++f) {
      const double* __restrict const x = r.x + f * r.lanes + first;
      const double w_hi = r.w.hi[f], w_lo = r.w.lo[f];
      for (std::size_t j = 0; j < Width; ++j) {
        const WindowedSum s = add_product({hi[j], lo[j]}, w_hi, w_lo, x[j]);
        hi[j] = s.h;
        lo[j] = s.l;
      }
    }
    for (std::size_t j = 0; j < Width; ++j) {
      const DoubleDouble carried = fast_two_sum(hi[j], lo[j]);
      hi[j] = carried.hi;
      lo[j] = carried.lo;
    }
  }
  for (std::size_t j = 0; j < Width; ++j) put(r.output, first + j, leave({hi[j], lo[j]}, r.window));
}

void row_sum(const RowSum& sum) {
  std::size_t first = 0;
  for (; first + 4 * lane_multiple <= sum.lanes; first += 4 * lane_multiple) sum_lanes<4 * lane_multiple>(sum, first);
  for (; first < sum.lanes; first += lane_multiple) sum_lanes<lane_multiple>(sum, first);
}

constexpr LaneKernels compiled_kernels{add_lanes,          multiply_lanes, divide_lanes,
                                       add_multiple_lanes, exp_lanes,      tanh_lanes,
                                       sincos_lanes,       scan_block,     row_sum};

}  // namespace
}  // namespace assay::dd
