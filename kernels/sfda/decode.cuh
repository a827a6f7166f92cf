#pragma once

#include "kernels/sfda/operator_builds.cuh"

namespace assay::kernels {
inline namespace ASSAY_MACHINE {
namespace sfda {

constexpr int decode_warps = 8;
constexpr int decode_columns = 32;
constexpr int decode_threads = decode_warps * decode_columns;
constexpr int decode_features = 128;
constexpr int decode_rows = decode_features / decode_warps;

/// The sum of what the warps have for one column, in their order; `parts` is [warp, column].
template <class X>
__device__ X sum_of_warps(const X* parts, int column) {
  X sum = parts[column];
  for (int w = 1; w < decode_warps; ++w) sum = sum + parts[w * decode_columns + column];
  return sum;
}

/// One token a sequence: Sbar = Lambda S, u = beta (v - Sbar* k), S = Sbar + k u*, o = S* q.
///
/// One block takes one sequence, one head and 32 columns of S, lane l those of column l and warp w the rows w, w + 8,
/// ..., which stay in registers: the state passes once. S may be the same array as S0: a thread reads its entries
/// before it writes them, and no other thread touches them. Cost: d dv entries read and written.
// Grid: (ceil(dv / 32), H, N). Block: 256 threads.
// Preconditions: T = 1, d <= 128, no cu_seqlens.
template <class E, class X>
__global__ void __launch_bounds__(decode_threads) decode(DeltaRule<E, X> x) {
  __shared__ X q[decode_features], k[decode_features], lambda[decode_features];
  __shared__ X predicted[decode_threads], read[decode_threads];  // [warp, column]
  const int thread = threadIdx.x, warp = thread / decode_columns, column = thread % decode_columns;
  const int h = blockIdx.y, n = blockIdx.z, j = blockIdx.x * decode_columns + column;
  const std::int64_t row = x.row(n, h), state = x.state(n, h, 0) + j;
  const bool idle = j >= x.dv;
  for (int i = thread; i < x.d; i += decode_threads) {
    q[i] = x.q[row * x.d + i];
    k[i] = x.k[row * x.d + i];
    store(lambda[i], x.lambda(row, i));
  }
  __syncthreads();
  X S[decode_rows], sum = zero<X>();
#pragma unroll
  for (int r = 0; r < decode_rows; ++r) {
    const int i = warp + r * decode_warps;
    if (i >= x.d) break;
    S[r] = lambda[i] * (x.S0.given() && !idle ? x.S0[state + std::int64_t(i) * x.dv] : zero<X>());
    sum = multiply_add(conjugate(S[r]), k[i], sum);
  }
  predicted[thread] = sum;
  __syncthreads();
  const X v = idle ? zero<X>() : x.v[row * x.dv + j];
  const X u = x.beta[row] * (v - sum_of_warps(predicted, column));
  sum = zero<X>();
#pragma unroll
  for (int r = 0; r < decode_rows; ++r) {
    const int i = warp + r * decode_warps;
    if (i >= x.d) break;
    const X entry = multiply_add(k[i], conjugate(u), S[r]);
    if (!idle) x.S.set(state + std::int64_t(i) * x.dv, entry);
    sum = multiply_add(conjugate(entry), q[i], sum);
  }
  read[thread] = sum;
  __syncthreads();
  if (warp == 0 && !idle) x.o.set(row * x.dv + j, sum_of_warps(read, column));
}

template <template <class> class Number, Decays decays>
struct Decode {
  template <class E>
  struct On {
    static void launch(const Call& call) {
      using X = Number<simt::Accumulator<E>>;
      const DeltaRule<E, X> x(call, decays);
      const unsigned tiles = (static_cast<unsigned>(x.dv) + decode_columns - 1) / decode_columns;
      const auto heads = static_cast<unsigned>(x.H), sequences = static_cast<unsigned>(call.size(Axis::sequences));
      simt::launch({.blocks = dim3(tiles, heads, sequences), .threads = dim3(decode_threads)}, decode<E, X>, x);
    }
  };
};

/// Roundings, in order; a complex product takes two a component, a complex multiply-add two fma:
///   1. lambda, as `Control` says. It is 1 without decays.
///   2. Sbar: lambda S, one product.
///   3. p: a chain of multiply-adds from 0 over every eighth dimension, at most 16; a chain of 7 additions over the
///      warps.
///   4. u: v - p, then beta times that.
///   5. S: one multiply-add of k conj(u) to Sbar.
///   6. o: as p; then to the output's format.
inline Contract decode_contract(Format element, int planes, Decays decays) {
  return {.algorithm = Algorithm::decode,
          .input = element,
          .output = element,
          .order = Order::blocked,
          .read_height = planes * decode_rows + decode_warps - 1,
          .elementary_ulp = control_ulps(decays)};
}

std::vector<Build> decode_builds() {
  const Limits limits{
      .feature = decode_features, .channels = {1}, .powers = {1}, .ragged = false, .one_token = true, .in_place = true};
  return for_every_operator(limits, [&]<template <class> class Number, Decays decays>(OperatorBuilds& builds) {
    const auto contract = [](Format element) { return decode_contract(element, planes<Number<float>>, decays); };
    builds.add<"decode.f32", Decode<Number, decays>::template On, float>(contract(Format::f32));
    builds.add<"decode.bf16", Decode<Number, decays>::template On, Bf16>(contract(Format::bf16));
  });
}

}  // namespace sfda
}  // namespace ASSAY_MACHINE
}  // namespace assay::kernels
