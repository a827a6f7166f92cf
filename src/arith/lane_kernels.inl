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

/// The sum itself, exactly.
[[gnu::always_inline]] inline DoubleDouble leave(WindowedSum sum, double window) {
  return two_sum(sum.h - window, sum.l);
}

/// A running sum of a register's lanes.
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
      put(b.output, t * b.lanes + lane + j, leave({o.h[t][j], o.l[t][j]}, b.output_window[t]));
}

void scan_block(const ScanBlock& block) {
  for (std::size_t lane = 0; lane < block.lanes; lane += Vector::width)
    block.k.lo == nullptr ? scan_lanes<true>(block, lane) : scan_lanes<false>(block, lane);
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

#include "arith/delta_kernel.inl"

constexpr LaneKernels compiled_kernels{add_lanes, multiply_lanes, divide_lanes, add_multiple_lanes,
                                       exp_lanes, tanh_lanes,     sincos_lanes, scan_block,
                                       row_sum,   delta_block};

}  // namespace
}  // namespace assay::dd
