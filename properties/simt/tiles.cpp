#include <algorithm>
#include <array>
#include <cstring>

#include <fmt/format.h>

#include "arith/complex.hpp"
#include "arith/prime_field.hpp"
#include "arith/tensor_core.hpp"
#include "properties/simt/laws.hpp"
#include "simt/matrix_load.cuh"
#include "simt/mma.cuh"
#include "simt/shuffled_mma.cuh"

namespace assay {
namespace {

constexpr int rows = 16, columns = 8;

/// D = A B + C, one warp.
template <class Product, class T>
__global__ void multiply_tiles(const T* A, const T* B, const typename Product::Accumulator* C,
                               typename Product::Accumulator* D) {
  constexpr int k = Product::k;
  const auto a = simt::fragment_a<Product>([&](int row, int i) { return A[row * k + i]; });
  const auto b = simt::fragment_b<Product>([&](int i, int column) { return B[i * columns + column]; });
  const auto c = simt::fragment_c<Product>([&](int row, int column) { return C[row * columns + column]; });
  simt::for_each_element(simt::multiply_add(a, b, c),
                         [&](int row, int column, auto x) { D[row * columns + column] = x; });
}

/// The same without tensor cores, for FmaProduct only.
template <class T>
__global__ void multiply_tiles_by_shuffles(const T* A, const T* B, const T* C, T* D) {
  using Product = simt::FmaProduct<T>;
  const auto a = simt::fragment_a<Product>([&](int row, int i) { return A[row * Product::k + i]; });
  const auto b = simt::fragment_b<Product>([&](int i, int column) { return B[i * columns + column]; });
  auto c = simt::fragment_c<Product>([&](int row, int column) { return C[row * columns + column]; });
  simt::shuffled_mma(a.element, b.element, c.element);
  simt::for_each_element(c, [&](int row, int column, auto x) { D[row * columns + column] = x; });
}

template <class T>
struct Tiles {
  std::vector<T> A;
  std::vector<T> B;
};

template <class Kernel, class T, class C>
std::vector<C> product_of(Kernel kernel, const Tiles<T>& tiles, const std::vector<C>& c) {
  const simt::Buffer<T> A(simt::machine, "A", tiles.A);
  const simt::Buffer<T> B(simt::machine, "B", tiles.B);
  const simt::Buffer<C> source(simt::machine, "C", c);
  simt::Buffer<C> D(simt::machine, "D", c.size());
  simt::launch({.blocks = 1, .threads = 32}, kernel, A.data(), B.data(), source.data(), D.data());
  return D.values();
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

/// A value with any exponent, zero or specials: raw bits, or small integers in two cases of three.
template <class T>
T element(Draw& draw) {
  if constexpr (requires { T::uniform([] { return std::uint64_t{}; }); }) {
    return draw.element<T>();
  } else {
    const float small = static_cast<float>(static_cast<int>(draw.below(65)) - 32);
    const auto raw = static_cast<std::uint32_t>(draw.bits());
    if constexpr (std::is_same_v<T, float>)
      return draw.below(3) != 0 ? small : (raw >> 23 & 0xff) > 200 ? 0.0f : __uint_as_float(raw);
    else
      return draw.below(3) != 0 ? round_to<T>(small) : from_code<T>(raw & (2 * sign_code<T> - 1));
  }
}

template <class T>
std::vector<T> elements(std::size_t count, Draw& draw) {
  std::vector<T> result;
  for (std::size_t i = 0; i < count; ++i) result.push_back(element<T>(draw));
  return result;
}

template <class T, int k>
Tiles<T> tiles(Draw& draw) {
  std::vector<T> a = elements<T>(rows * k, draw);
  return {std::move(a), elements<T>(k * columns, draw)};
}

/// Over a field: D = A B + C by its definition.
template <class F>
Outcome try_field(Draw& draw) {
  using Product = simt::FmaProduct<F>;
  const auto [A, B] = tiles<F, Product::k>(draw);
  const std::vector<F> C = elements<F>(rows * columns, draw);
  std::vector<F> want = C;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      for (int k = 0; k < Product::k; ++k)
        want[i * columns + j] = want[i * columns + j] + A[i * Product::k + k] * B[k * columns + j];
  if (product_of(multiply_tiles<Product, F>, Tiles<F>{A, B}, C) != want) return Outcome::fails("multiply_add differs");
  if (product_of(multiply_tiles_by_shuffles<F>, Tiles<F>{A, B}, C) != want)
    return Outcome::fails("shuffled_mma differs");
  return Outcome::holds();
}

Outcome try_float(Draw& draw) {
  using Product = simt::FmaProduct<float>;
  const Tiles<float> both = tiles<float, Product::k>(draw);
  const std::vector<float> C = elements<float>(rows * columns, draw);
  std::vector<float> want = C;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      for (int k = 0; k < Product::k; ++k)
        want[i * columns + j] = std::fmaf(both.A[i * Product::k + k], both.B[k * columns + j], want[i * columns + j]);
  if (!same_bits(product_of(multiply_tiles<Product, float>, both, C), want))
    return Outcome::fails("multiply_add differs");
  if (!same_bits(product_of(multiply_tiles_by_shuffles<float>, both, C), want))
    return Outcome::fails("shuffled_mma differs");
  return Outcome::holds();
}

/// On tensor cores: every output is one tensor_core::dot.
template <class T>
Outcome try_tensor_cores(Draw& draw) {
  using Product = simt::TensorProduct<T>;
  constexpr int k = Product::k;
  const Tiles<T> both = tiles<T, k>(draw);
  const std::vector<float> C = elements<float>(rows * columns, draw);
  const std::vector<float> got = product_of(multiply_tiles<Product, T>, both, C);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) {
      std::array<T, k> column;
      for (int l = 0; l < k; ++l) column[l] = both.B[l * columns + j];
      const float want = tensor_core::dot<T>(std::span(&both.A[i * k], k), column, C[i * columns + j]);
      if (__float_as_uint(want) != __float_as_uint(got[i * columns + j]))
        return Outcome::fails(fmt::format("D[{}][{}] = {:a}, not {:a}", i, j, got[i * columns + j], want));
    }
  return Outcome::holds();
}

/// Small integers of 20 bits are the sum of two tf32 numbers: three instructions give their products exactly.
Outcome try_three_tf32(Draw& draw) {
  using Product = simt::ThreeTf32Product;
  constexpr int k = Product::k;
  Tiles<float> both = tiles<float, k>(draw);
  for (float& x : both.A) x = static_cast<float>(static_cast<int>(draw.below(1 << 15)) - (1 << 14));
  for (float& x : both.B) x = static_cast<float>(static_cast<int>(draw.below(15)) - 7);
  const std::vector<float> C(rows * columns, 0);
  const std::vector<float> got = product_of(multiply_tiles<Product, float>, both, C);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) {
      float want = 0;
      for (int l = 0; l < k; ++l) want += both.A[i * k + l] * both.B[l * columns + j];
      if (want != got[i * columns + j])
        return Outcome::fails(fmt::format("D[{}][{}] = {}, not {}", i, j, got[i * columns + j], want));
    }
  return Outcome::holds();
}

/// The fragments that the loads bring, against tile elements: out[0] counts the differences.
template <class Product, class T>
__global__ void compare_loads(const T* tile, int stride, int* differences) {
  T* const shared = simt::dynamic_shared<T>();
  for (int i = threadIdx.x; i < 16 * stride; i += 32) shared[i] = tile[i];
  __syncthreads();
  const auto a = simt::load_a<Product>(shared, stride);
  const auto a_transposed = simt::load_a_transposed<Product>(shared, stride);
  const auto b = simt::load_b<Product>(shared, stride);
  const auto b_transposed = simt::load_b_transposed<Product>(shared, stride);
  simt::FragmentB<Product> two_b[2], two_b_transposed[2];
  simt::load_two_b<Product>(two_b, shared, stride);
  simt::load_two_b_transposed<Product>(two_b_transposed, shared, stride);
  const auto want_a = simt::fragment_a<Product>([&](int row, int k) { return tile[row * stride + k]; });
  const auto want_a_transposed = simt::fragment_a<Product>([&](int row, int k) { return tile[k * stride + row]; });
  const auto want_b = simt::fragment_b<Product>([&](int k, int column) { return tile[k * stride + column]; });
  const auto want_b_transposed =
      simt::fragment_b<Product>([&](int k, int column) { return tile[column * stride + k]; });
  int wrong = 0;
  for (int i = 0; i < Product::Layout::a_count; ++i)
    wrong += !(a.element[i] == want_a.element[i]) + !(a_transposed.element[i] == want_a_transposed.element[i]);
  for (int i = 0; i < Product::Layout::b_count; ++i)
    wrong += !(b.element[i] == want_b.element[i]) + !(b_transposed.element[i] == want_b_transposed.element[i]);
  for (int n = 0; n < 2; ++n) {
    const auto want = simt::fragment_b<Product>([&](int k, int column) { return tile[k * stride + 8 * n + column]; });
    const auto want_transposed =
        simt::fragment_b<Product>([&](int k, int column) { return tile[(8 * n + column) * stride + k]; });
    for (int i = 0; i < Product::Layout::b_count; ++i)
      wrong +=
          !(two_b[n].element[i] == want.element[i]) + !(two_b_transposed[n].element[i] == want_transposed.element[i]);
  }
  atomicAdd(differences, wrong);
}

template <class Product, class T>
Outcome try_loads(Draw& draw) {
  const auto stride = static_cast<int>(8 * draw.size("stride_in_eights", 2, 9));
  const simt::Buffer<T> tile(simt::machine, "tile", elements<T>(16 * stride, draw));
  simt::Buffer<int> differences(simt::machine, "differences", std::vector<int>{0});
  simt::launch({.blocks = 1, .threads = 32, .shared_bytes = 16 * stride * sizeof(T)}, compare_loads<Product, T>,
               tile.data(), stride, differences.data());
  const int wrong = differences.values()[0];
  return wrong == 0 ? Outcome::holds() : Outcome::fails(fmt::format("{} elements differ", wrong));
}

/// Every element of every tile is in one place.
template <int k>
Outcome try_layout(Draw&) {
  using Layout = simt::FragmentLayout<k>;
  std::array<int, rows* k> a = {};
  std::array<int, k* columns> b = {};
  std::array<int, rows* columns> c = {};
  for (int lane = 0; lane < 32; ++lane) {
    for (int i = 0; i < Layout::a_count; ++i) ++a.at(Layout::a_row(lane, i) * k + Layout::a_column(lane, i));
    for (int i = 0; i < Layout::b_count; ++i) ++b.at(Layout::b_row(lane, i) * columns + Layout::b_column(lane, i));
    for (int i = 0; i < 4; ++i)
      ++c.at(simt::AccumulatorLayout::row(lane, i) * columns + simt::AccumulatorLayout::column(lane, i));
  }
  const auto once = [](const auto& tile) { return std::ranges::all_of(tile, [](int n) { return n == 1; }); };
  return once(a) && once(b) && once(c) ? Outcome::holds() : Outcome::fails("an element is missing or there twice");
}

}  // namespace

std::vector<Law> simt_tiles_laws() {
  using simt::Bf16Product, simt::Fp16Product, simt::FmaProduct, simt::Tf32Product;
  return {
      {.name = "simt.tile_product_equals_its_definition_over_fields",
       .statement = "D = A B + C for the fragments of m16n8k16, by one meeting of the warp and by shuffles",
       .source = {},
       .proof = Proof::by_evaluation,
       .degree = 2,
       .trials = 10,
       .checks = {{"GF(2^61-1)", F61::log2_order, try_field<F61>},
                  {"GF(2^31-1)", F31::log2_order, try_field<F31>},
                  {"GF((2^61-1)^2)", F61::log2_order, try_field<Cx<F61>>}}},
      {.name = "simt.tile_product_by_fma_is_one_chain_an_output",
       .statement = "every output is the chain of fma over k from C on",
       .source = {},
       .trials = 50,
       .checks = {{"float32", 0, try_float}}},
      {.name = "simt.tile_product_on_tensor_cores_is_one_sum_an_output",
       .statement = "every output is tensor_core::dot of its row and column, all codes of the format included",
       .source = {},
       .trials = 50,
       .checks = {{"bf16", 0, try_tensor_cores<Bf16>},
                  {"fp16", 0, try_tensor_cores<Fp16>},
                  {"tf32", 0, try_tensor_cores<Tf32>}}},
      {.name = "simt.three_tf32_products_keep_twenty_bits",
       .statement = "integers of 15 bits times integers of 4 bits are multiplied exactly",
       .source = {},
       .trials = 50,
       .checks = {{"tf32", 0, try_three_tf32}}},
      {.name = "simt.loaded_fragments_hold_the_tile",
       .statement = "ldmatrix, plain and transposed, brings the elements that the fragment layout names",
       .source = {},
       .trials = 20,
       .checks = {{"bf16", 0, try_loads<Bf16Product, Bf16>},
                  {"fp16", 0, try_loads<Fp16Product, Fp16>},
                  {"float32", 0, try_loads<FmaProduct<float>, float>},
                  {"GF(2^61-1)", 0, try_loads<FmaProduct<F61>, F61>}}},
      {.name = "simt.fragments_hold_every_element_once",
       .statement = "the layouts of A, B and C are bijections between (lane, element) and (row, column)",
       .source = {},
       .proof = Proof::exactly,
       .checks = {{"k = 16", 0, try_layout<16>}, {"k = 8", 0, try_layout<8>}}},
  };
}

}  // namespace assay
