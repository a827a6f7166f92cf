#pragma once

#include "properties/simt/kernels/run.hpp"
#include "simt/elementary.cuh"
#include "simt/matrix_load.cuh"
#include "simt/mma.cuh"
#include "simt/simt.cuh"

// Kernels without a fault: clean in every mode, the same bits in all of them.

namespace assay::simt_laws::ASSAY_MACHINE {

/// C = A B, all [n,n] with n a multiple of `tile`; one output a thread.
template <int tile>
__global__ void gemm_tiled(const float* A, const float* B, float* C, int n) {
  __shared__ float a[tile][tile];
  __shared__ float b[tile][tile];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int row = blockIdx.y * tile + y;
  const int column = blockIdx.x * tile + x;
  float sum = 0;
  for (int k0 = 0; k0 < n; k0 += tile) {
    a[y][x] = A[row * n + k0 + x];
    b[y][x] = B[(k0 + y) * n + column];
    __syncthreads();
    for (int k = 0; k < tile; ++k) sum = fmaf(a[y][k], b[k][x], sum);
    __syncthreads();
  }
  C[row * n + column] = sum;
}

inline std::vector<float> run_gemm_tiled() {
  constexpr int n = 32;
  const simt::Buffer<float> A(simt::machine, "A", values(n * n, 1));
  const simt::Buffer<float> B(simt::machine, "B", values(n * n, 2));
  simt::Buffer<float> C(simt::machine, "C", n * n);
  simt::launch({.blocks = {n / 8, n / 8}, .threads = {8, 8}}, gemm_tiled<8>, A.data(), B.data(), C.data(), n);
  return C.values();
}

/// S_t = g S_{t-1} + k_t v_t^T, o_t = q_t^T S_t; q k v o [T,d] a block, thread j holds column j of S.
template <int d>
__global__ void linear_attention(const float* q, const float* k, const float* v, float* o, float g, int T) {
  __shared__ float q_t[d];
  __shared__ float k_t[d];
  const int j = threadIdx.x;
  const std::size_t head = static_cast<std::size_t>(blockIdx.x) * T * d;
  float S[d] = {};
  for (int t = 0; t < T; ++t) {
    const std::size_t row = head + static_cast<std::size_t>(t) * d;
    q_t[j] = q[row + j];
    k_t[j] = k[row + j];
    const float v_j = v[row + j];
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < d; ++i) {
      S[i] = fmaf(k_t[i], v_j, g * S[i]);
      sum = fmaf(q_t[i], S[i], sum);
    }
    o[row + j] = sum;
    __syncthreads();
  }
}

inline std::vector<float> run_linear_attention() {
  constexpr int d = 32, T = 12, heads = 3;
  const simt::Buffer<float> q(simt::machine, "q", values(heads * T * d, 3));
  const simt::Buffer<float> k(simt::machine, "k", values(heads * T * d, 4));
  const simt::Buffer<float> v(simt::machine, "v", values(heads * T * d, 5));
  simt::Buffer<float> o(simt::machine, "o", heads * T * d);
  simt::launch({.blocks = heads, .threads = d}, linear_attention<d>, q.data(), k.data(), v.data(), o.data(), 0.875f, T);
  return o.values();
}

/// y = softmax of the rows of x [rows,columns], a warp a row.
__global__ void softmax_rows(const float* x, float* y, int rows, int columns) {
  constexpr unsigned whole_warp = 0xffffffff;
  const int lane = threadIdx.x % 32;
  const int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  if (row >= rows) return;
  float largest = -INFINITY;
  for (int i = lane; i < columns; i += 32) largest = elementary::max(largest, x[row * columns + i]);
  for (int flip = 16; flip > 0; flip /= 2)
    largest = elementary::max(largest, __shfl_xor_sync(whole_warp, largest, flip));
  float sum = 0;
  for (int i = lane; i < columns; i += 32) sum += elementary::exp(x[row * columns + i] - largest);
  for (int flip = 16; flip > 0; flip /= 2) sum += __shfl_xor_sync(whole_warp, sum, flip);
  for (int i = lane; i < columns; i += 32) y[row * columns + i] = elementary::exp(x[row * columns + i] - largest) / sum;
}

inline std::vector<float> run_softmax_rows() {
  constexpr int rows = 7, columns = 50;
  const simt::Buffer<float> x(simt::machine, "x", values(rows * columns, 6));
  simt::Buffer<float> y(simt::machine, "y", rows * columns);
  simt::launch({.blocks = 4, .threads = 64}, softmax_rows, x.data(), y.data(), rows, columns);
  return y.values();
}

/// Sums of each 64 values through shared memory, the last 32 by one warp with __syncwarp.
__global__ void tree_sum(const float* x, float* sum) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  s[t] = x[blockIdx.x * 64 + t];
  __syncthreads();
  for (int half = 32; half > 0; half /= 2) {
    const float other = t < half ? s[t + half] : 0;
    half == 32 ? __syncthreads() : __syncwarp();
    if (t < half) s[t] += other;
    half == 32 ? __syncthreads() : __syncwarp();
  }
  if (t == 0) sum[blockIdx.x] = s[0];
}

inline std::vector<float> run_tree_sum() {
  const simt::Buffer<float> x(simt::machine, "x", values(5 * 64, 7));
  simt::Buffer<float> sum(simt::machine, "sum", 5);
  simt::launch({.blocks = 5, .threads = 64}, tree_sum, x.data(), sum.data());
  return sum.values();
}

/// How many of x [n] fall in each quarter of [-1, 1).
__global__ void histogram(const float* x, int* count, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&count[static_cast<int>((x[i] + 1) * 2)], 1);
}

inline std::vector<float> run_histogram() {
  constexpr int n = 300;
  const simt::Buffer<float> x(simt::machine, "x", values(n, 8));
  simt::Buffer<int> count(simt::machine, "count", std::vector<int>(4, 0));
  simt::launch({.blocks = 5, .threads = 64}, histogram, x.data(), count.data(), n);
  const std::vector<int> counts = count.values();
  return {counts.begin(), counts.end()};
}

/// D [16,8] = Σ over `tiles` of A_i [16,16] B_i [16,8], through two stages of dynamic shared memory: the next tile is
/// on its way while one is multiplied.
template <class Product>
__global__ void pipelined_product(const Bf16* A, const Bf16* B, float* D, int tiles) {
  constexpr int a_stride = 24, b_stride = 8;  // elements; rows at multiples of 16 bytes
  constexpr int stage_size = 16 * a_stride + 16 * b_stride;
  Bf16* const shared = simt::dynamic_shared<Bf16>();
  const int t = threadIdx.x;
  const auto fetch = [&](int tile) {
    Bf16* const stage = shared + tile % 2 * stage_size;
    const int row = t / 2;
    const int half = t % 2 * 8;
    __pipeline_memcpy_async(stage + row * a_stride + half, A + tile * 256 + row * 16 + half, 16);
    if (t < 16) __pipeline_memcpy_async(stage + 16 * a_stride + t * b_stride, B + tile * 128 + t * 8, 16);
    __pipeline_commit();
  };
  auto d = simt::zero_fragment<Product>();
  fetch(0);
  for (int tile = 0; tile < tiles; ++tile) {
    if (tile + 1 < tiles) fetch(tile + 1);
    __pipeline_wait_prior(tile + 1 < tiles ? 1 : 0);
    __syncthreads();
    const Bf16* const stage = shared + tile % 2 * stage_size;
    d = simt::multiply_add(simt::load_a<Product>(stage, a_stride),
                           simt::load_b<Product>(stage + 16 * a_stride, b_stride), d);
    __syncthreads();
  }
  simt::for_each_element(d, [&](int row, int column, float x) { D[row * 8 + column] = x; });
}

inline std::vector<Bf16> bf16_values(std::size_t count, unsigned seed) {
  std::vector<Bf16> result(count);
  const std::vector<float> x = values(count, seed);
  for (std::size_t i = 0; i < count; ++i) result[i] = round_to<Bf16>(x[i]);
  return result;
}

template <class Product>
std::vector<float> run_pipelined_product() {
  constexpr int tiles = 5;
  const simt::Buffer<Bf16> A(simt::machine, "A", bf16_values(tiles * 256, 9));
  const simt::Buffer<Bf16> B(simt::machine, "B", bf16_values(tiles * 128, 10));
  simt::Buffer<float> D(simt::machine, "D", 128);
  simt::launch({.blocks = 1, .threads = 32, .shared_bytes = 2 * (16 * 24 + 16 * 8) * sizeof(Bf16)},
               pipelined_product<Product>, A.data(), B.data(), D.data(), tiles);
  return D.values();
}

std::span<const Run> correct_runs() {
  static constexpr Run runs[] = {{"gemm_tiled", run_gemm_tiled},
                                 {"linear_attention", run_linear_attention},
                                 {"softmax_rows", run_softmax_rows},
                                 {"tree_sum", run_tree_sum},
                                 {"histogram", run_histogram},
                                 {"pipelined_product.bf16", run_pipelined_product<simt::Bf16Product>},
                                 {"pipelined_product.fma", run_pipelined_product<simt::FmaProduct<float>>}};
  return runs;
}

}  // namespace assay::simt_laws::ASSAY_MACHINE
