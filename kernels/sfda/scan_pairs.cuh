#pragma once

#include <cstdint>
#include <string>

#include "kernels/sfda/operator_builds.cuh"

namespace assay::kernels {
inline namespace ASSAY_MACHINE {
namespace sfda {

constexpr int pair_parts = 8;
constexpr int pair_columns = 32;
constexpr int pair_threads = pair_parts * pair_columns;
constexpr int pair_sums = 4;
constexpr int pair_rows = 8;
constexpr int pair_features = pair_parts * pair_rows;

/// S_t = (I - beta k k^T) Lambda S_(t-1) + beta k v^T, o_t = S_t^T q_t over the reals. The dimensions of q, k and S are
/// d pairs (x, y) in planes of their own, and Lambda turns and shrinks each, which is the product with a complex
/// number.
template <class E, class A>
struct PairRule {
  using X = Complex<A>;
  Planes<const E, X> q, k;  // [tokens, H, d]
  const E* v;               // [tokens, H, dv]
  Control<X, Portable> lambda;
  const A* beta;                   // [tokens, H]
  const std::int64_t* cu_seqlens;  // [N + 1], rising from 0 to the number of tokens; or null: T tokens a sequence
  Planes<const A, X> S0;           // [N, H, d, dv] or null
  E* o;                            // [tokens, H, dv]
  Planes<A, X> S;                  // [N, H, d, dv]
  int T, H, d, dv;

  explicit PairRule(const Call& call)
      : q(pair<const E>(call, "q")),
        k(pair<const E>(call, "k")),
        v(call.array<E>("v")),
        lambda(call, Decays::with_phases),
        beta(call.array<A>("beta")),
        cu_seqlens(call.array<std::int64_t>("cu_seqlens")),
        S0(pair<const A>(call, "S0")),
        o(call.array<E>("o")),
        S(pair<A>(call, "S")),
        T(static_cast<int>(call.size(Axis::time))),
        H(static_cast<int>(call.size(Axis::head))),
        d(static_cast<int>(call.size(Axis::feature))),
        dv(static_cast<int>(call.size(Axis::value))) {}

  __device__ std::int64_t begin(int n) const { return cu_seqlens ? cu_seqlens[n] : std::int64_t(n) * T; }
  __device__ std::int64_t end(int n) const { return cu_seqlens ? cu_seqlens[n + 1] : std::int64_t(n + 1) * T; }
  __device__ std::int64_t row(std::int64_t t, int h) const { return t * H + h; }
  __device__ std::int64_t state(int n, int h, int i) const { return ((std::int64_t(n) * H + h) * d + i) * dv; }

 private:
  template <class T_>
  static Planes<T_, X> pair(const Call& call, const std::string& name) {
    using Stored = std::remove_const_t<T_>;
    return {{call.array<Stored>(name + "_x"), call.array<Stored>(name + "_y")}};
  }
};

/// One token in shared memory: entry part * pair_rows + r is pair part * span + r, or zeros.
template <class X>
struct PairToken {
  X q[pair_features], k[pair_features], lambda[pair_features];
};

template <class E, class A>
__device__ void stage(PairToken<Complex<A>>& token, const PairRule<E, A>& x, std::int64_t row, int span) {
  for (int i = threadIdx.x; i < pair_features; i += pair_threads) {
    const int r = i % pair_rows, a = i / pair_rows * span + r;
    const bool there = r < span && a < x.d;
    store(token.q[i], there ? x.q[row * x.d + a] : zero<Complex<A>>());
    store(token.k[i], there ? x.k[row * x.d + a] : zero<Complex<A>>());
    store(token.lambda[i], there ? x.lambda(row, a) : zero<Complex<A>>());
  }
}

/// x_1 x_2 + y_1 y_2 + c, x first.
template <class A>
__device__ A multiply_add_pairs(Complex<A> a, Complex<A> b, A c) {
  return simt::multiply_add(a.im, b.im, simt::multiply_add(a.re, b.re, c));
}

template <class A>
__device__ A sum_of_pair_parts(const A* partial, int column) {
  A sum = partial[column];
  for (int p = 1; p < pair_parts; ++p) sum = sum + partial[p * pair_columns + column];
  return sum;
}

/// The recurrence, token by token, s_i the pair i of a column of S:
///   sbar_i = lambda_i s_i,  p = sum_i sbar_i . k_i,  u = beta (v - p),  s_i = sbar_i + u k_i,  o = sum_i s_i . q_i.
///
/// One block takes one sequence, one head and 32 columns of S. The pairs are split into 8 parts: warp w keeps those of
/// part w, lane l those of column l. Cost: 6 d dv multiply-adds and 2 barriers a token.
// Grid: (ceil(dv / 32), H, N). Block: 256 threads.
// Preconditions: d <= 64.
template <class E, class A>
__global__ void __launch_bounds__(pair_threads) scan_pairs(PairRule<E, A> x) {
  using X = Complex<A>;
  __shared__ PairToken<X> tokens[2];  // this one and the next
  __shared__ A predicted[pair_threads], read[pair_threads];
  const int column = threadIdx.x % pair_columns, part = threadIdx.x / pair_columns, h = blockIdx.y, n = blockIdx.z;
  const int j = blockIdx.x * pair_columns + column, first = part * pair_rows;
  const int span = (x.d + pair_parts - 1) / pair_parts, rows = min(span, x.d - part * span);
  const std::int64_t begin = x.begin(n), end = x.end(n), state = x.state(n, h, part * span) + j;
  const bool idle = j >= x.dv;

  X S[pair_rows];
  for (int r = 0; r < pair_rows; ++r)
    S[r] = x.S0.given() && r < rows && !idle ? x.S0[state + std::int64_t(r) * x.dv] : zero<X>();
  if (begin < end) stage(tokens[0], x, x.row(begin, h), span);
  __syncthreads();
  for (std::int64_t t = begin; t < end; ++t) {
    const PairToken<X>& token = tokens[(t - begin) % 2];
    const std::int64_t row = x.row(t, h);
    A sum[pair_sums];
    for (A& s : sum) s = A(0);
    for (int r = 0; r < pair_rows; ++r) {
      S[r] = token.lambda[first + r] * S[r];
      sum[r % pair_sums] = multiply_add_pairs(S[r], token.k[first + r], sum[r % pair_sums]);
    }
    predicted[threadIdx.x] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    __syncthreads();
    const A v = idle ? A(0) : simt::widen(x.v[row * x.dv + j]);
    const A u = x.beta[row] * (v - sum_of_pair_parts(predicted, column));
    for (A& s : sum) s = A(0);
    for (int r = 0; r < pair_rows; ++r) {
      const X k = token.k[first + r];
      S[r] = {simt::multiply_add(k.re, u, S[r].re), simt::multiply_add(k.im, u, S[r].im)};
      sum[r % pair_sums] = multiply_add_pairs(S[r], token.q[first + r], sum[r % pair_sums]);
    }
    read[threadIdx.x] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    if (t + 1 < end) stage(tokens[(t + 1 - begin) % 2], x, x.row(t + 1, h), span);
    __syncthreads();
    if (part == 0 && !idle) x.o[row * x.dv + j] = simt::narrow<E>(sum_of_pair_parts(read, column));
  }
  if (idle) return;
  for (int r = 0; r < pair_rows; ++r)
    if (r < rows) x.S.set(state + std::int64_t(r) * x.dv, S[r]);
}

template <class E>
struct ScanPairs {
  static void launch(const Call& call) {
    using A = simt::Accumulator<E>;
    const PairRule<E, A> x(call);
    const unsigned tiles = (static_cast<unsigned>(x.dv) + pair_columns - 1) / pair_columns;
    const auto heads = static_cast<unsigned>(x.H), sequences = static_cast<unsigned>(call.size(Axis::sequences));
    simt::launch({.blocks = dim3(tiles, heads, sequences), .threads = dim3(pair_threads)}, scan_pairs<E, A>, x);
  }
};

/// Roundings of a token, in order:
///   1. lambda, as `Control` says.
///   2. sbar: lambda s, two a component.
///   3. p: the pairs are split over 8 parts, each over 4 accumulators of at most 2 pairs, two multiply-adds each, from
///      0; a tree of 2 additions over the accumulators, a chain of 7 over the parts.
///   4. u: v - p, then beta times that.
///   5. s: one multiply-add a component.
///   6. o: as p; then to the output's format.
inline Contract scan_pairs_contract(Format element) {
  return {.algorithm = Algorithm::scan,
          .input = element,
          .output = element,
          .order = Order::blocked,
          .read_height = 2 * pair_rows / pair_sums + 2 + pair_parts - 1,
          .elementary_ulp = control_ulps(Decays::with_phases)};
}

std::vector<Build> scan_pairs_builds() {
  if constexpr (only_kernel.empty() || only_kernel.starts_with("rotation_blocks.attention/")) {
    const Limits limits{.feature = pair_features, .channels = {1}, .powers = {1}};
    OperatorBuilds builds(operators::rotation_blocks_attention(), limits);
    builds.add<"scan_pairs.f32", ScanPairs, float>(scan_pairs_contract(Format::f32));
    builds.add<"scan_pairs.bf16", ScanPairs, Bf16>(scan_pairs_contract(Format::bf16));
    return builds.all();
  } else {
    return {};
  }
}

}  // namespace sfda
}  // namespace ASSAY_MACHINE
}  // namespace assay::kernels
