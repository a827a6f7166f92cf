#pragma once

#include <string_view>

#include "kernels/sanatan/encoding.cuh"
#include "problem/kernel.hpp"

namespace assay::kernels {
inline namespace ASSAY_MACHINE {
namespace sanatan {

template <class E, class F>
struct FeatureMap {
  const E* x;                      // [tokens, H, d]
  const float* omega;              // [H, d]
  const float* lambda;             // [H, d]
  const std::int64_t* cu_seqlens;  // [N + 1], rising from 0 to the number of tokens; or null: T tokens a sequence
  const std::int64_t* t0;          // [N] or null: 0
  float* theta;                    // [tokens, H, d] or null: not wanted
  float* r;                        // [tokens, H, d] or null: not wanted
  F* phi;                          // [tokens, H, c, d]
  float gamma;
  int T, H, c, d;
};

constexpr int feature_map_threads = 128;
constexpr int feature_map_tokens = 16;

/// The features of every token, rounded once to F. A thread takes one dimension of one head through 16 tokens of one
/// sequence, so it reads omega and lambda once.
// Grid: (ceil(T / 16), ceil(H d / 128), N). Block: 128 threads.
// Preconditions: positions t0 + t are below 2^24 in size.
template <class Functions, class E, class F>
__global__ void feature_map(FeatureMap<E, F> map) {
  const int column = blockIdx.y * feature_map_threads + threadIdx.x;  // h d + a
  if (column >= map.H * map.d) return;
  const int n = blockIdx.z, h = column / map.d, a = column % map.d;
  const std::int64_t begin = map.cu_seqlens ? map.cu_seqlens[n] : std::int64_t(n) * map.T;
  const std::int64_t length = map.cu_seqlens ? map.cu_seqlens[n + 1] - begin : map.T;
  const std::int64_t t0 = map.t0 ? map.t0[n] : 0;
  const float omega = map.omega[column], lambda = map.lambda[column];
  const std::int64_t first = std::int64_t(blockIdx.x) * feature_map_tokens;
  for (std::int64_t step = first; step < first + feature_map_tokens && step < length; ++step) {
    const std::int64_t token = (begin + step) * map.H;
    const std::int64_t at = token * map.d + column;
    const Encoded encoded =
        encode<Functions>(simt::widen(map.x[at]), omega, lambda, map.gamma, static_cast<float>(t0 + step));
    if (map.theta) map.theta[at] = encoded.theta;
    if (map.r) map.r[at] = encoded.label;
    for (int m = 0; m < map.c; ++m)
      map.phi[((token + h) * map.c + m) * map.d + a] = simt::convert<F>(channel_of(encoded, m, map.c));
  }
}

/// Writes the features of the tensor called `input`; theta and r where the call holds them.
template <class E, class F, class Functions = Portable>
void launch_feature_map(const Call& call, std::string_view input, F* phi) {
  const auto size = [&](Axis axis) { return static_cast<unsigned>(call.size(axis)); };
  const FeatureMap<E, F> map{.x = call.array<E>(input),
                             .omega = call.array<float>("omega"),
                             .lambda = call.array<float>("lambda"),
                             .cu_seqlens = call.array<std::int64_t>("cu_seqlens"),
                             .t0 = call.array<std::int64_t>("t0"),
                             .theta = call.array<float>("theta"),
                             .r = call.array<float>("r"),
                             .phi = phi,
                             .gamma = static_cast<float>(call.parameter("gamma")),
                             .T = static_cast<int>(size(Axis::time)),
                             .H = static_cast<int>(size(Axis::head)),
                             .c = static_cast<int>(size(Axis::channel)),
                             .d = static_cast<int>(size(Axis::feature))};
  if (map.T == 0) return;
  const unsigned tokens = (size(Axis::time) + feature_map_tokens - 1) / feature_map_tokens;
  const unsigned columns = (size(Axis::head) * size(Axis::feature) + feature_map_threads - 1) / feature_map_threads;
  simt::launch({.blocks = dim3(tokens, columns, size(Axis::sequences)), .threads = dim3(feature_map_threads)},
               feature_map<Functions, E, F>, map);
}

}  // namespace sanatan
}  // namespace ASSAY_MACHINE
}  // namespace assay::kernels
