#pragma once

#include "kernels/build.hpp"
#include "kernels/sanatan/feature_source.cuh"
#include "kernels/sanatan/recurrence.cuh"
#include "problem/operators/sanatan.hpp"

namespace assay::kernels {
inline namespace ASSAY_MACHINE {
namespace sanatan {

constexpr int scan_parts = 8;
constexpr int scan_columns = 32;
constexpr int scan_threads = scan_parts * (scan_columns + 1);
constexpr int scan_accumulators = 8;

/// Row r of a part holds dimension `part * span + r % span` of channel r / span, if there are such.
struct StateRows {
  int c, d, part, span;

  /// The feature's number in [c, d], or -1 for a row of padding.
  __device__ int feature(int r) const {
    const int n = r / span, a = part * span + r % span;
    return n < c && a < d ? n * d + a : -1;
  }
};

/// The recurrence, token by token.
///
/// One block takes one sequence, one head and 32 columns of S. Its features are split into 8 parts of the dimensions:
/// warp w keeps the rows of part w, lane l those of column l; a ninth warp of 8 threads keeps z. So a thread holds
/// `Rows` entries of the state in registers and meets the others twice a token.
/// Cost: 2 c d (dv + 1) multiply-adds and 2 barriers a token.
// Grid: (ceil(dv / 32), H, N). Block: 264 threads.
// Preconditions: c ceil(d / 8) <= Rows, Rows % 8 == 0.
template <class E, class Source, int Rows>
__global__ void scan(Recurrence<E> x, Source source) {
  using A = simt::Accumulator<E>;
  __shared__ A phi_q[scan_parts * Rows], phi_k[scan_parts * Rows];  // [part, row]
  __shared__ A partial[scan_parts * (scan_columns + 1)];            // [part, column], z the last column
  const int thread = threadIdx.x, h = blockIdx.y, n = blockIdx.z;
  const bool of_z = thread >= scan_parts * scan_columns;
  const int part = of_z ? thread % scan_parts : thread / scan_columns;
  const int column = of_z ? scan_columns : thread % scan_columns;
  const int j = blockIdx.x * scan_columns + column;
  const bool idle = !of_z && j >= x.dv;
  const std::int64_t begin = x.begin(n), end = x.end(n), state = x.state(n, h);
  const int span = (x.d + scan_parts - 1) / scan_parts;
  const StateRows rows{x.c, x.d, part, span};

  A S[Rows];
  for (int r = 0; r < Rows; ++r) {
    const int f = rows.feature(r);
    const bool stored = f >= 0 && !idle && x.S0 != nullptr;
    S[r] = !stored ? A(0) : of_z ? x.z0[state + f] : x.S0[(state + f) * x.dv + j];
  }
  // Rows of padding stay zero; the source writes all others.
  for (int i = thread; i < scan_parts * Rows; i += scan_threads) phi_q[i] = phi_k[i] = A(0);
  __syncthreads();
  for (std::int64_t t = begin; t < end; ++t) {
    const FeatureBlock token{
        .token = t, .step = t - begin, .tokens = 1, .n = n, .h = h, .dimension = 0, .dimensions = x.d};
    source.visit(token, thread, scan_threads, [&](bool of_q, int, int m, int a, A feature) {
      (of_q ? phi_q : phi_k)[a / span * Rows + m * span + a % span] = feature;
    });
    __syncthreads();
    const A v = of_z ? A(1) : idle ? A(0) : simt::widen(x.v[x.row(t, h) + j]);
    A sum[scan_accumulators];
    for (int l = 0; l < scan_accumulators; ++l) sum[l] = A(0);
    for (int r = 0; r < Rows; r += scan_accumulators) {
      for (int l = 0; l < scan_accumulators; ++l) {
        S[r + l] = simt::multiply_add(phi_k[part * Rows + r + l], v, S[r + l]);
        sum[l] = simt::multiply_add(phi_q[part * Rows + r + l], S[r + l], sum[l]);
      }
    }
    partial[part * (scan_columns + 1) + column] =
        ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
    __syncthreads();
    if (part == 0 && !of_z && !idle) {
      A N = A(0), D = A(0);
      for (int p = 0; p < scan_parts; ++p) {
        N = N + partial[p * (scan_columns + 1) + column];
        D = D + partial[p * (scan_columns + 1) + scan_columns];
      }
      const std::int64_t at = x.row(t, h) + j;
      x.o[at] = simt::narrow<E>(N / (D + x.eps_raw));
      if (x.N != nullptr) x.N[at] = N;
      if (x.D != nullptr && j == 0) x.D[t * x.H + h] = D;
    }
  }
  if (idle) return;
  for (int r = 0; r < Rows; ++r) {
    const int f = rows.feature(r);
    if (f < 0) continue;
    if (!of_z) x.S[(state + f) * x.dv + j] = S[r];
    if (of_z && blockIdx.x == 0) x.z[state + f] = S[r];
  }
}

template <class E, class Source, int Rows>
void launch_scan_of(const Call& call) {
  const Recurrence<E> x(call);
  const auto sequences = static_cast<unsigned>(call.size(Axis::sequences));
  const unsigned tiles = (static_cast<unsigned>(x.dv) + scan_columns - 1) / scan_columns;
  simt::launch({.blocks = dim3(tiles, static_cast<unsigned>(x.H), sequences), .threads = dim3(scan_threads)},
               scan<E, Source, Rows>, x, Source(call));
}

/// Picks the smallest instance that holds the rows of a part.
template <class E, class Source>
void launch_scan(const Call& call) {
  const std::int64_t rows = call.size(Axis::channel) * ((call.size(Axis::feature) + scan_parts - 1) / scan_parts);
  if (rows <= 8) return launch_scan_of<E, Source, 8>(call);
  if (rows <= 24) return launch_scan_of<E, Source, 24>(call);
  if (rows <= 48) return launch_scan_of<E, Source, 48>(call);
  return launch_scan_of<E, Source, 96>(call);
}

template <class E>
struct FeatureScan {
  static void launch(const Call& call) { launch_scan<E, GivenFeatures<E>>(call); }
};

template <class E>
struct AttentionScan {
  static void launch(const Call& call) { launch_scan<E, ComputedFeatures<E>>(call); }
};

/// phi is exact, or computed as `encode` says. S and z take one fma a token. The read-out splits the features over 8
/// parts, each over 8 accumulators of at most 12 fma; a tree over the accumulators, a chain of 7 over the parts. Then
/// eps_raw is added, N divided, and the quotient rounded to the output's format. D is not clamped: where it is rounding
/// error alone and near -eps_raw, o has no bound.
inline Contract scan_contract(Format element) {
  return {.algorithm = Algorithm::scan,
          .input = element,
          .output = element,
          .order = Order::blocked,
          .read_height = 96 / scan_accumulators + 3 + scan_parts - 1,
          .one_order = true};
}

std::vector<Build> scan_builds() {
  const Limits limits{.feature = 128, .value = 128, .channels = {6}, .powers = {1}, .sums = true};
  std::vector<Build> builds = {
      build<FeatureScan, float>("scan.f32", operators::sanatan_feature_attention(), scan_contract(Format::f32), limits),
      build<FeatureScan, Bf16>("scan.bf16", operators::sanatan_feature_attention(), scan_contract(Format::bf16),
                               limits)};
  Contract f32 = scan_contract(Format::f32), bf16 = scan_contract(Format::bf16);
  f32.elementary_ulp = bf16.elementary_ulp = encoding_ulps();
  builds.push_back(real_build<AttentionScan, float>("scan.f32", operators::sanatan_attention(), f32, limits));
  builds.push_back(real_build<AttentionScan, Bf16>("scan.bf16", operators::sanatan_attention(), bf16, limits));
  return builds;
}

}  // namespace sanatan
}  // namespace ASSAY_MACHINE
}  // namespace assay::kernels
