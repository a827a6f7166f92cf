// The body of every lane path: plain loops over lanes that vectorise. Lanes never meet, no operation is reordered or
// contracted, so all paths give the same bits. Nothing here has external linkage but what the including file defines.

#include "arith/dd_algorithms.hpp"
#include "arith/lane_kernels.hpp"
#include "arith/lane_vector.hpp"

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
/// rounding of h, below W 2^-53, is caught in l. The sum itself, exactly:
[[gnu::always_inline]] inline DoubleDouble leave(double h, double l, double window) { return two_sum(h - window, l); }

/// Such a sum of every lane of a register.
struct VectorSum {
  Vector h;
  Vector l;
};

/// sum + (a_hi + a_lo) x and sum + (a_hi + a_lo)(x + x_lo), a_lo x_lo left out, on a register; where the multiplier is
/// a double, its zero low part is left out.
template <bool Double>
[[gnu::always_inline]] inline VectorSum add_product(VectorSum sum, Vector a_hi, Vector a_lo, Vector x) {
  const Vector h = fma(a_hi, x, sum.h);
  const Vector missed = fma(a_hi, x, sum.h - h);
  return {h, sum.l + (Double ? missed : fma(a_lo, x, missed))};
}
template <bool Double>
[[gnu::always_inline]] inline VectorSum add_product(VectorSum sum, Vector a_hi, Vector a_lo, Vector x, Vector x_lo) {
  const Vector h = fma(a_hi, x, sum.h);
  const Vector missed = fma(a_hi, x_lo, fma(a_hi, x, sum.h - h));
  return {h, sum.l + (Double ? missed : fma(a_lo, x, missed))};
}

/// A register's lanes of o, for every step of a block.
struct Readouts {
  alignas(64) double h[block_steps][Vector::width];
  alignas(64) double l[block_steps][Vector::width];
};

/// All steps of a block for Count features from f, whose states stay in registers, and one register's lanes from
/// `lane`.
template <std::size_t Count, bool Double>
void scan_features(const ScanBlock& b, std::size_t f, std::size_t lane, Readouts& o) {
  Vector window[Count];
  VectorSum s[Count];
  for (std::size_t n = 0; n < Count; ++n) {
    const std::size_t at = (f + n) * b.lanes + lane;
    const Vector before = load(b.state.hi + at);
    window[n] = broadcast(b.state_window[f + n]);
    s[n].h = window[n] + before;
    s[n].l = load(b.state.lo + at) + (before - (s[n].h - window[n]));
  }
  for (std::size_t t = 0; t < b.steps; ++t) {
    const std::size_t row = t * b.feature_stride + f;
    const Vector v = load(b.v + t * b.lanes + lane);
    VectorSum sum = {load(o.h[t]), load(o.l[t])};
#pragma GCC unroll 8
    for (std::size_t n = 0; n < Count; ++n) {
      const auto low = [&](const double* lo) { return broadcast(Double ? 0 : lo[row + n]); };
      s[n] = add_product<Double>(s[n], broadcast(b.k.hi[row + n]), low(b.k.lo), v);
      sum = add_product<Double>(sum, broadcast(b.q.hi[row + n]), low(b.q.lo), s[n].h - window[n], s[n].l);
    }
    store(o.h[t], sum.h);
    store(o.l[t], sum.l);
  }
  for (std::size_t n = 0; n < Count; ++n) {
    const std::size_t at = (f + n) * b.lanes + lane;
    const Vector a = s[n].h - window[n], c = s[n].l, sum = a + c, part = sum - a;
    store(b.state.hi + at, sum);
    store(b.state.lo + at, (a - (sum - part)) + (c - part));
  }
}

/// One register's lanes of a block, from `lane`.
template <bool Double>
void scan_lanes(const ScanBlock& b, std::size_t lane) {
  // Their states, windows and sums fill the registers of AVX-512.
  constexpr std::size_t together = 4;
  Readouts o;
  for (std::size_t t = 0; t < b.steps; ++t) {
    store(o.h[t], broadcast(b.output_window[t]));
    store(o.l[t], broadcast(0));
  }
  std::size_t f = 0;
  for (; f + together <= b.features; f += together) scan_features<together, Double>(b, f, lane, o);
  for (; f < b.features; ++f) scan_features<1, Double>(b, f, lane, o);
  for (std::size_t t = 0; t < b.steps; ++t)
    for (std::size_t j = 0; j < Vector::width; ++j)
      put(b.output, t * b.lanes + lane + j, leave(o.h[t][j], o.l[t][j], b.output_window[t]));
}

void scan_block(const ScanBlock& block) {
  for (std::size_t lane = 0; lane < block.lanes; lane += Vector::width)
    block.k.lo == nullptr ? scan_lanes<true>(block, lane) : scan_lanes<false>(block, lane);
}

/// Lanes of a panel, and the rows of weights whose sums over them stay in registers together.
constexpr std::size_t panel_vectors = 2;
constexpr std::size_t panel_lanes = panel_vectors * Vector::width;
constexpr std::size_t rows_together = 4;
constexpr std::size_t rows_of_panel = 32;  ///< whose sums wait in the first-level cache

/// Running sums of a panel.
struct PanelSums {
  alignas(64) double h[rows_of_panel][panel_lanes];
  alignas(64) double l[rows_of_panel][panel_lanes];
};

/// Adds `steps` features of the panel x, [steps, panel_lanes], to the sums of Rows rows from `row`, then carries l into
/// h. The weights begin at `at`, row by row.
template <std::size_t Rows, bool Double>
void add_to_panel(const RowSumBlock& b, std::size_t at, std::size_t steps, const double* x, std::size_t row,
                  PanelSums& sums) {
  VectorSum s[Rows][panel_vectors];
  for (std::size_t r = 0; r < Rows; ++r)
    for (std::size_t v = 0; v < panel_vectors; ++v)
      s[r][v] = {load(sums.h[row + r] + v * Vector::width), load(sums.l[row + r] + v * Vector::width)};
  for (std::size_t f = 0; f < steps; ++f)
#pragma GCC unroll 8
    for (std::size_t r = 0; r < Rows; ++r) {
      const std::size_t weight = at + r * b.feature_stride + f;
      const Vector hi = broadcast(b.w.hi[weight]), lo = broadcast(Double ? 0 : b.w.lo[weight]);
#pragma GCC unroll 8
      for (std::size_t v = 0; v < panel_vectors; ++v)
        s[r][v] = add_product<Double>(s[r][v], hi, lo, load(x + f * panel_lanes + v * Vector::width));
    }
  for (std::size_t r = 0; r < Rows; ++r)
    for (std::size_t v = 0; v < panel_vectors; ++v) {
      const Vector h = s[r][v].h + s[r][v].l;
      store(sums.h[row + r] + v * Vector::width, h);
      store(sums.l[row + r] + v * Vector::width, s[r][v].l - (h - s[r][v].h));
    }
}

/// Rows first ... first + rows - 1 on one panel of lanes from `lane`, of which `lanes` exist.
template <bool Double>
void sum_panel(const RowSumBlock& b, std::size_t first, std::size_t rows, std::size_t lane, std::size_t lanes) {
  PanelSums sums;
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t j = 0; j < panel_lanes; ++j) {
      sums.h[r][j] = b.window[first + r];
      sums.l[r][j] = 0;
    }
  for (std::size_t f = 0; f < b.features; f += block_steps) {
    const std::size_t steps = f + block_steps < b.features ? block_steps : b.features - f;
    alignas(64) double x[block_steps * panel_lanes] = {};
    for (std::size_t n = 0; n < steps; ++n)
      for (std::size_t v = 0; v < panel_vectors; ++v)
        if (const std::size_t j = v * Vector::width; j < lanes)
          store(x + n * panel_lanes + j, load(b.x + (f + n) * b.lanes + lane + j));
    std::size_t r = 0;
    for (; r + rows_together <= rows; r += rows_together)
      add_to_panel<rows_together, Double>(b, (first + r) * b.feature_stride + f, steps, x, r, sums);
    for (; r < rows; ++r) add_to_panel<1, Double>(b, (first + r) * b.feature_stride + f, steps, x, r, sums);
  }
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t j = 0; j < lanes; ++j)
      put(b.output, (first + r) * b.lanes + lane + j, leave(sums.h[r][j], sums.l[r][j], b.window[first + r]));
}

void row_sums(const RowSumBlock& b) {
  for (std::size_t first = 0; first < b.rows; first += rows_of_panel) {
    const std::size_t rows = first + rows_of_panel < b.rows ? rows_of_panel : b.rows - first;
    for (std::size_t lane = 0; lane < b.lanes; lane += panel_lanes) {
      const std::size_t lanes = lane + panel_lanes < b.lanes ? panel_lanes : b.lanes - lane;
      b.w.lo == nullptr ? sum_panel<true>(b, first, rows, lane, lanes) : sum_panel<false>(b, first, rows, lane, lanes);
    }
  }
}

#include "arith/delta_kernel.inl"

constexpr LaneKernels compiled_kernels{add_lanes,  multiply_lanes, divide_lanes, add_multiple_lanes, exp_lanes,
                                       tanh_lanes, sincos_lanes,   scan_block,   row_sums,           delta_block};

}  // namespace
}  // namespace assay::dd
