#pragma once

#include "kernels/sas/attention.cuh"

namespace assay::kernels {
inline namespace ASSAY_MACHINE {
namespace sas {

constexpr int split_keys = 128;  // a split, and threads a block
constexpr int split_warps = split_keys / 32;
constexpr int split_features = 128;

/// What one split of the keys leaves of a query: its largest logit m, l = sum e^(x - m), N = sum e^(x - m) v.
template <class A>
struct Partials {
  A* data;  // [N, H G, splits, dv + 2]: m, l, N
  int splits, width;

  __device__ A* of(std::int64_t query, int split) const { return data + (query * splits + split) * width; }
};

/// The largest of the block's logits: of the warps first, then of these.
template <class A>
__device__ A largest_of_block(A x, A* of_warps) {
  for (int flip = 16; flip > 0; flip /= 2) x = larger_logit(x, __shfl_xor_sync(0xffffffff, x, flip));
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = x;
  __syncthreads();
  x = of_warps[0];
  for (int w = 1; w < split_warps; ++w) x = larger_logit(x, of_warps[w]);
  return x;
}

/// The sum of the block's weights, a tree in every warp and a chain over these; thread 0 has it.
template <class A>
__device__ A sum_of_block(A x, A* of_warps) {
  for (int flip = 16; flip > 0; flip /= 2) x = x + __shfl_xor_sync(0xffffffff, x, flip);
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = x;
  __syncthreads();
  x = of_warps[0];
  for (int w = 1; w < split_warps; ++w) x = x + of_warps[w];
  return x;
}

/// One query a sequence against 128 of its keys: thread i takes key i, then column i of v. A split without a key that
/// the query reads reads neither keys nor values.
// Grid: (ceil(T / 128), H G, N). Block: 128 threads.
// Preconditions: d, dv <= 128.
template <class E>
__global__ void __launch_bounds__(split_keys) split_kv(Attention<E> x, Partials<simt::Accumulator<E>> partials) {
  using A = simt::Accumulator<E>;
  __shared__ A q[split_features], weights[split_keys], largest_of_warps[split_warps], sums_of_warps[split_warps];
  const int thread = threadIdx.x, n = blockIdx.z, h = blockIdx.y / x.G;
  const std::int64_t sequence = x.first_token(n), length = x.length(n);
  const std::int64_t first = std::int64_t(blockIdx.x) * split_keys, j = first + thread;
  if (first >= length) return;
  const std::int64_t pair = std::int64_t(n) * x.H + h, query = std::int64_t(n) * x.H * x.G + blockIdx.y;
  const std::int64_t own = (length - 1) / x.b, block = j / x.b;
  A* const partial = partials.of(query, blockIdx.x);
  const bool reads = j < length && x.reads(pair, own, block);
  if (!__syncthreads_or(reads)) {
    if (thread == 0) partial[0] = no_logit<A>();
    if (thread == 0) partial[1] = A(0);
    if (thread < x.dv) partial[2 + thread] = A(0);
    return;
  }
  if (thread < x.d) q[thread] = simt::widen(x.q[query * x.d + thread]);
  __syncthreads();
  A logit = no_logit<A>(), gate = A(1);
  if (reads) {
    const E* const k = x.k + ((sequence + j) * x.H + h) * x.d;
    A s = A(0);
    for (int f = 0; f < x.d; ++f) s = simt::multiply_add(q[f], simt::widen(k[f]), s);
    const A z = s * x.scale, log_gate = x.gate(pair, own, block);
    logit = x.outside ? z : z + log_gate;
    if (x.outside) gate = power_of(log_gate);
  }
  const A m = largest_of_block(logit, largest_of_warps);
  const A weight = reads ? power_below(logit, m) : A(0);
  weights[thread] = x.outside ? weight * gate : weight;
  const A l = sum_of_block(weight, sums_of_warps);
  if (thread == 0) partial[0] = m;
  if (thread == 0) partial[1] = l;
  if (thread >= x.dv) return;
  A N = A(0);
  const int keys = static_cast<int>(length - first < split_keys ? length - first : split_keys);
  for (int i = 0; i < keys; ++i)
    N = simt::multiply_add(weights[i], simt::widen(x.v[((sequence + first + i) * x.H + h) * x.dv + thread]), N);
  partial[2 + thread] = N;
}

/// The splits of one query, first to last, brought to their largest logit and added: thread i takes column i.
// Grid: (H G, N). Block: 128 threads.
template <class E>
__global__ void __launch_bounds__(split_keys) merge_splits(Attention<E> x, Partials<simt::Accumulator<E>> partials) {
  using A = simt::Accumulator<E>;
  const int n = blockIdx.y, column = threadIdx.x;
  const std::int64_t query = std::int64_t(n) * x.H * x.G + blockIdx.x;
  const int splits = static_cast<int>((x.length(n) + split_keys - 1) / split_keys);
  if (column >= x.dv) return;
  A m = no_logit<A>(), l = A(0), N = A(0);
  for (int i = 0; i < splits; ++i) m = larger_logit(m, partials.of(query, i)[0]);
  for (int i = 0; i < splits; ++i) {
    const A* const partial = partials.of(query, i);
    const A factor = power_below(partial[0], m);
    l = simt::multiply_add(partial[1], factor, l);
    N = simt::multiply_add(partial[2 + column], factor, N);
  }
  x.o[query * x.dv + column] = simt::narrow<E>(mean_of(N, l));
  if (column == 0) x.lse[query] = log_of_sum(m, l);
}

struct SplitKv {
  template <class E>
  struct On {
    static void launch(const Call& call) {
      using A = simt::Accumulator<E>;
      const Attention<E> x(call);
      const auto sequences = static_cast<unsigned>(call.size(Axis::sequences)),
                 heads = static_cast<unsigned>(x.H * x.G);
      const int splits = (x.T + split_keys - 1) / split_keys;
      auto parts = simt::workspace<A>("partials", std::size_t(sequences) * heads * std::size_t(splits) * (x.dv + 2));
      const Partials<A> partials{parts.data(), splits, x.dv + 2};
      if (splits > 0)
        simt::launch({.blocks = dim3(static_cast<unsigned>(splits), heads, sequences), .threads = dim3(split_keys)},
                     split_kv<E>, x, partials);
      simt::launch({.blocks = dim3(heads, sequences), .threads = dim3(split_keys)}, merge_splits<E>, x, partials);
    }
  };
};

/// Roundings, in order (the first addition to zero, and e^0 = 1 with products by it, are exact):
///   1. A logit x: q k, one chain of fma over at most 128 features; times `scale`; where the gate is inside, plus its
///      logarithm.
///   2. e^(x - m): the difference, then exp; m is the largest logit of 128 keys.
///   3. l: a tree of 5 levels in a warp, a chain of 3 additions over the warps.
///   4. Where the gate is outside: exp of its logarithm, the weight times that.
///   5. N: weights x v over 128 keys, one chain of fma from 0.
///   6. A split's factor e^(m_i - m): the difference, then exp; l and N of the splits times that, one chain of fma.
///   7. o: N / l, then to the output's format. L: log l, m plus that.
inline Contract split_kv_contract(Format element) {
  return {.algorithm = Algorithm::decode,
          .input = element,
          .output = element,
          .order = Order::blocked,
          .chunk = split_keys,
          .score_height = split_features,
          .value_height = split_keys,
          .elementary_ulp = softmax_ulps(),
          .wide_normaliser = true};
}

std::vector<Build> split_kv_builds() {
  const Limits limits{.feature = split_features,
                      .value = 128,
                      .channels = {1},
                      .blocks = {64, 16, 32, 48, 128},
                      .initial_state = false,
                      .final_state = false};
  return for_both_operators(operators::softmax_decode(), operators::sas_decode(), limits, [](OperatorBuilds& builds) {
    builds.add<"split_kv.f32", SplitKv::On, float>(split_kv_contract(Format::f32));
    builds.add<"split_kv.bf16", SplitKv::On, Bf16>(split_kv_contract(Format::bf16));
  });
}

}  // namespace sas
}  // namespace ASSAY_MACHINE
}  // namespace assay::kernels
