#pragma once

#include "kernels/sfda/operator_builds.cuh"

namespace assay::kernels {
inline namespace ASSAY_MACHINE {
namespace sfda {

constexpr int scan_parts = 8;  // at most
constexpr int scan_columns = 32;
constexpr int scan_threads = scan_parts * scan_columns;
constexpr int scan_sums = 4;

/// One token in shared memory: entry part * Rows + r is dimension part * span + r, or padding.
template <class X, int Rows>
struct ScanToken {
  X q[scan_parts * Rows], k[scan_parts * Rows], lambda[scan_parts * Rows];
};

/// Parts of the dimensions that the block has: a warp each.
__device__ inline int parts_of_block() { return blockDim.x / scan_columns; }

/// Brings a token to shared memory, and zeros for padding.
template <class E, class X, class Functions, int Rows>
__device__ void stage(ScanToken<X, Rows>& token, const DeltaRule<E, X, Functions>& x, std::int64_t row, int span) {
  for (int i = threadIdx.x; i < parts_of_block() * Rows; i += blockDim.x) {
    const int r = i % Rows, a = i / Rows * span + r;
    const bool there = r < span && a < x.d;
    token.q[i] = there ? x.q[row * x.d + a] : zero<X>();
    token.k[i] = there ? x.k[row * x.d + a] : zero<X>();
    store(token.lambda[i], there ? x.lambda(row, a) : zero<X>());
  }
}

template <class X>
__device__ X tree_sum(const X (&s)[scan_sums]) {
  return (s[0] + s[1]) + (s[2] + s[3]);
}

/// One column's sums of all parts, [part, column].
template <class X>
__device__ X sum_of_parts(const X* partial, int column) {
  X sum = partial[column];
  for (int p = 1; p < parts_of_block(); ++p) sum = sum + partial[p * scan_columns + column];
  return sum;
}

/// The recurrence, token by token:
///   Sbar_ij = lambda_i S_ij,  p_j = sum_i conj(Sbar_ij) k_i,  u_j = beta (v_j - p_j),
///   S_ij = Sbar_ij + k_i conj(u_j),  o_j = sum_i conj(S_ij) q_i.
///
/// One block takes one sequence, one head and 32 columns of S. The dimensions are split into a part a warp, at most 8:
/// warp w keeps the rows of part w, lane l those of column l. So a thread holds `Rows` entries of the state in
/// registers and meets the others twice a token. Cost: 3 d dv multiply-adds and 2 barriers a token.
// Grid: (ceil(dv / 32), H, N). Block: 32 threads a part.
// Preconditions: ceil(d / parts) <= Rows, Rows % 4 == 0. S may be the same array as S0.
template <class E, class X, class Functions, int Rows>
__global__ void __launch_bounds__(scan_threads) scan(DeltaRule<E, X, Functions> x) {
  __shared__ ScanToken<X, Rows> tokens[2];  // this one and the next
  __shared__ X predicted[scan_threads], read[scan_threads];
  const int column = threadIdx.x % scan_columns, part = threadIdx.x / scan_columns, h = blockIdx.y, n = blockIdx.z;
  const int j = blockIdx.x * scan_columns + column, first = part * Rows;
  const int parts = parts_of_block(), span = (x.d + parts - 1) / parts, rows = min(span, x.d - part * span);
  const std::int64_t begin = x.begin(n), end = x.end(n), state = x.state(n, h, part * span) + j;
  const bool idle = j >= x.dv;

  X S[Rows];
  for (int r = 0; r < Rows; ++r)
    S[r] = x.S0.given() && r < rows && !idle ? x.S0[state + std::int64_t(r) * x.dv] : zero<X>();
  if (begin < end) stage(tokens[0], x, x.row(begin, h), span);
  __syncthreads();
  for (std::int64_t t = begin; t < end; ++t) {
    const ScanToken<X, Rows>& token = tokens[(t - begin) % 2];
    const std::int64_t row = x.row(t, h);
    X sum[scan_sums];
    for (X& s : sum) s = zero<X>();
    for (int r = 0; r < Rows; ++r) {
      S[r] = token.lambda[first + r] * S[r];
      sum[r % scan_sums] = multiply_add(conjugate(S[r]), token.k[first + r], sum[r % scan_sums]);
    }
    store(predicted[threadIdx.x], tree_sum(sum));
    __syncthreads();
    const X v = idle ? zero<X>() : x.v[row * x.dv + j];
    const X u = x.beta[row] * (v - sum_of_parts(predicted, column));
    for (X& s : sum) s = zero<X>();
    for (int r = 0; r < Rows; ++r) {
      S[r] = multiply_add(token.k[first + r], conjugate(u), S[r]);
      sum[r % scan_sums] = multiply_add(conjugate(S[r]), token.q[first + r], sum[r % scan_sums]);
    }
    store(read[threadIdx.x], tree_sum(sum));
    if (t + 1 < end) stage(tokens[(t + 1 - begin) % 2], x, x.row(t + 1, h), span);
    __syncthreads();
    if (part == 0 && !idle) x.o.set(row * x.dv + j, sum_of_parts(read, column));
  }
  if (idle) return;
  for (int r = 0; r < Rows; ++r)
    if (r < rows) x.S.set(state + std::int64_t(r) * x.dv, S[r]);
}

template <int Rows, class E, class X, class Functions>
void launch_scan_of(const DeltaRule<E, X, Functions>& x, unsigned sequences, int parts) {
  const unsigned tiles = (static_cast<unsigned>(x.dv) + scan_columns - 1) / scan_columns;
  simt::launch({.blocks = dim3(tiles, static_cast<unsigned>(x.H), sequences),
                .threads = dim3(static_cast<unsigned>(parts) * scan_columns)},
               scan<E, X, Functions, Rows>, x);
}

/// Picks as few parts as keep at most eight rows each, if there are so many, and the smallest instance that holds them.
template <class E, class X, class Functions>
void launch_scan(const DeltaRule<E, X, Functions>& x, unsigned sequences) {
  int parts = 1;
  while (parts < scan_parts && parts * 8 < x.d) parts *= 2;
  const int rows = (x.d + parts - 1) / parts;
  if (rows <= 4) return launch_scan_of<4>(x, sequences, parts);
  if (rows <= 8) return launch_scan_of<8>(x, sequences, parts);
  launch_scan_of<16>(x, sequences, parts);
}

template <template <class> class Number, Decays decays, class Functions = Portable>
struct Scan {
  template <class E>
  struct On {
    static void launch(const Call& call) {
      launch_scan(DeltaRule<E, Number<simt::Accumulator<E>>, Functions>(call, decays),
                  static_cast<unsigned>(call.size(Axis::sequences)));
    }
  };
};

/// Roundings of a token, in order; a complex product takes two a component, a complex multiply-add two fma:
///   1. lambda, as `Control` says. It is 1 without decays.
///   2. Sbar: lambda S, one product.
///   3. p: the dimensions are split over at most 8 parts, each over 4 accumulators of at most 4 multiply-adds from 0; a
///   tree of
///      2 additions over the accumulators, a chain of at most 7 over the parts.
///   4. u: v - p, then beta times that.
///   5. S: one multiply-add of k conj(u) to Sbar.
///   6. o: as p; then to the output's format.
template <class Functions = Portable>
Contract scan_contract(Format element, int planes, Decays decays) {
  return {.algorithm = Algorithm::scan,
          .input = element,
          .output = element,
          .order = Order::blocked,
          .read_height = planes * 16 / scan_sums + 2 + scan_parts - 1,
          .elementary_ulp = control_ulps<Functions>(decays)};
}

std::vector<Build> scan_builds() {
  const Limits limits{.channels = {1}, .powers = {1}, .in_place = true};
  return for_every_operator(limits, [&]<template <class> class Number, Decays decays>(OperatorBuilds& builds) {
    const auto contract = [](Format element) { return scan_contract(element, planes<Number<float>>, decays); };
    builds.add<"scan.f32", Scan<Number, decays>::template On, float>(contract(Format::f32));
    builds.add<"scan.bf16", Scan<Number, decays>::template On, Bf16>(contract(Format::bf16));
    if constexpr (decays == Decays::with_phases) {
      builds.add_real<"scan.f32.libdevice", Scan<Number, decays, Libdevice>::template On, float>(
          scan_contract<Libdevice>(Format::f32, planes<Number<float>>, decays));
      builds.add_real<"scan.bf16.approx", Scan<Number, decays, Approximate>::template On, Bf16>(
          scan_contract<Approximate>(Format::bf16, planes<Number<float>>, decays));
    }
  });
}

}  // namespace sfda
}  // namespace ASSAY_MACHINE
}  // namespace assay::kernels
