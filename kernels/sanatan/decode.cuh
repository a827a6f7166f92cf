#pragma once

#include "kernels/build.hpp"
#include "kernels/sanatan/feature_source.cuh"
#include "kernels/sanatan/recurrence.cuh"
#include "problem/operators/sanatan.hpp"

namespace assay::kernels {
inline namespace ASSAY_MACHINE {
namespace sanatan {

constexpr int decode_warps = 8;
constexpr int decode_threads = 32 * decode_warps;
constexpr int decode_features = 6 * 128;
constexpr int decode_values = 128;

/// One token a sequence: S += phi_k v^T, z += phi_k, o = phi_q^T S / (phi_q^T z + eps_raw).
///
/// One block takes one sequence and one head, so the state passes through it once. Warp w takes rows w, w + 8, ... of
/// S, its lanes the columns. S may be the same array as S0, and z as z0: a thread reads an entry before it writes it,
/// and no other thread touches it. Cost: c d (dv + 1) entries read and written.
// Grid: (H, N). Block: 256 threads.
// Preconditions: T = 1, c d <= 768, dv <= 128, no cu_seqlens.
template <class E, class Source>
__global__ void __launch_bounds__(decode_threads) decode(Recurrence<E> x, Source source) {
  using A = simt::Accumulator<E>;
  constexpr int across = decode_values / 32;
  __shared__ A phi_q[decode_features], phi_k[decode_features];  // [c, d]
  __shared__ A N[decode_warps * decode_values], D[decode_warps];
  const int thread = threadIdx.x, warp = thread / 32, lane = thread % 32, h = blockIdx.x, n = blockIdx.y;
  const int features = x.c * x.d;
  const std::int64_t state = x.state(n, h), row = x.row(n, h);
  const FeatureBlock token{.token = n, .step = 0, .tokens = 1, .n = n, .h = h, .dimension = 0, .dimensions = x.d};
  source.visit(token, thread, decode_threads,
               [&](bool of_q, int, int m, int a, A feature) { (of_q ? phi_q : phi_k)[m * x.d + a] = feature; });
  A v[across], sum[across];
  for (int i = 0; i < across; ++i) {
    const int j = 32 * i + lane;
    v[i] = j < x.dv ? simt::widen(x.v[row + j]) : A(0);
    sum[i] = A(0);
  }
  __syncthreads();
  for (int f = warp; f < features; f += decode_warps) {
    const A q = phi_q[f], k = phi_k[f];
    for (int i = 0; i < across; ++i) {
      const int j = 32 * i + lane;
      if (j >= x.dv) continue;
      const std::int64_t at = (state + f) * x.dv + j;
      const A entry = simt::multiply_add(k, v[i], x.S0 ? x.S0[at] : A(0));
      x.S[at] = entry;
      sum[i] = simt::multiply_add(q, entry, sum[i]);
    }
  }
  A part = A(0);
  for (int f = thread; f < features; f += decode_threads) {
    const A entry = (x.z0 ? x.z0[state + f] : A(0)) + phi_k[f];
    x.z[state + f] = entry;
    part = simt::multiply_add(phi_q[f], entry, part);
  }
  for (int flip = 16; flip > 0; flip /= 2) part = part + __shfl_xor_sync(0xffffffff, part, flip);
  if (lane == 0) D[warp] = part;
  for (int i = 0; i < across; ++i) N[warp * decode_values + 32 * i + lane] = sum[i];
  __syncthreads();
  if (thread >= x.dv) return;
  A numerator = A(0), denominator = A(0);
  for (int w = 0; w < decode_warps; ++w) {
    numerator = numerator + N[w * decode_values + thread];
    denominator = denominator + D[w];
  }
  x.o[row + thread] = simt::narrow<E>(numerator / (positive_part(denominator) + x.eps_raw));
  if (x.N != nullptr) x.N[row + thread] = numerator;
  if (x.D != nullptr && thread == 0) x.D[std::int64_t(n) * x.H + h] = denominator;
}

template <class E, class Source>
void launch_decode(const Call& call) {
  const auto heads = static_cast<unsigned>(call.size(Axis::head));
  const auto sequences = static_cast<unsigned>(call.size(Axis::sequences));
  simt::launch({.blocks = dim3(heads, sequences), .threads = dim3(decode_threads)}, decode<E, Source>,
               Recurrence<E>(call), Source(call));
}

template <class E>
struct FeatureDecode {
  static void launch(const Call& call) { launch_decode<E, GivenFeatures<E>>(call); }
};

template <class E>
struct AttentionDecode {
  static void launch(const Call& call) { launch_decode<E, ComputedFeatures<E>>(call); }
};

/// phi is exact, or computed as `encode` says. S takes one fma, z one addition. The read-out of N is a chain of fma
/// over every eighth feature, at most 96, then a chain of additions over the 8 warps; that of D a chain of at most 3
/// fma, a tree of 5 additions over a warp and the same chain. Then D is clamped at 0, eps_raw added, N divided, and
/// the quotient rounded to the output's format.
inline Contract decode_contract(Format element) {
  return {.algorithm = Algorithm::decode,
          .input = element,
          .output = element,
          .order = Order::blocked,
          .read_height = decode_features / decode_warps + decode_warps - 1,
          .clamps_normaliser = true};
}

std::vector<Build> decode_builds() {
  const Limits limits{.feature = 128,
                      .value = 128,
                      .channels = {6, 3},
                      .powers = {1},
                      .ragged = false,
                      .sums = true,
                      .one_token = true,
                      .in_place = true};
  Contract f32 = decode_contract(Format::f32), bf16 = decode_contract(Format::bf16);
  std::vector<Build> builds = {
      build<FeatureDecode, float>("decode.f32", operators::sanatan_feature_attention(), f32, limits),
      build<FeatureDecode, Bf16>("decode.bf16", operators::sanatan_feature_attention(), bf16, limits)};
  f32.elementary_ulp = bf16.elementary_ulp = encoding_ulps();
  builds.push_back(real_build<AttentionDecode, float>("decode.f32", operators::sanatan_attention(), f32, limits));
  builds.push_back(real_build<AttentionDecode, Bf16>("decode.bf16", operators::sanatan_attention(), bf16, limits));
  return builds;
}

}  // namespace sanatan
}  // namespace ASSAY_MACHINE
}  // namespace assay::kernels
