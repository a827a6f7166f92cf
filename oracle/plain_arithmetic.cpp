#include "oracle/plain_arithmetic.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "arith/rounding.hpp"
#include "arith/tensor_core.hpp"

namespace assay::plain {
namespace {

/// Noise in [-1, 1] that depends on x and on the run alone: equal inputs have equal errors.
double noise(double x, std::uint64_t run) {
  std::uint64_t z = std::bit_cast<std::uint64_t>(x) ^ (run * 0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return std::ldexp(static_cast<double>(z >> 11), -52) - 1;
}

}  // namespace

float in_format(float x, Format format) {
  return format == Format::f32 ? x : static_cast<float>(round_to(float_format(format), x));
}

float elementary(const Contract& contract, std::string_view function, double x, double y, std::uint64_t run) {
  const auto ulps = contract.elementary_ulp.find(function);
  const double size = ulps == contract.elementary_ulp.end() ? 0 : ulps->second;
  return static_cast<float>(y + noise(x, run) * size * ulp(float32_format, y));
}

void Accumulator::add(float a, float b) {
  if (product_ == Product::fma) {
    sum_ = std::fma(a, b, sum_);
    return;
  }
  a_[count_] = a;
  b_[count_] = b;
  if (++count_ == (product_ == Product::bf16 ? 16 : 8)) instruct();
}

float Accumulator::value() {
  if (count_ != 0) instruct();
  return sum_;
}

/// The instruction's products of words taken from the two factors.
template <class T, class WordA, class WordB>
void Accumulator::sum_words(WordA word_a, WordB word_b) {
  std::array<T, 16> a, b;
  std::transform(a_.begin(), a_.begin() + count_, a.begin(), word_a);
  std::transform(b_.begin(), b_.begin() + count_, b.begin(), word_b);
  sum_ = tensor_core::dot<T>({a.data(), count_}, {b.data(), count_}, sum_);
}

void Accumulator::instruct() {
  const auto high = [](float x) { return tf32_nearest_away(x); };
  const auto low = [](float x) { return tf32_nearest_away(x - to_float(tf32_nearest_away(x))); };
  if (product_ == Product::bf16) sum_words<Bf16>(bf16_nearest_even, bf16_nearest_even);
  if (product_ == Product::three_tf32) {
    sum_words<Tf32>(low, high);
    sum_words<Tf32>(high, low);
  }
  if (product_ == Product::tf32 || product_ == Product::three_tf32) sum_words<Tf32>(high, high);
  count_ = 0;
}

std::vector<std::size_t> shuffled(std::size_t count, Draw& draw) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[draw.below(i)]);
  return order;
}

}  // namespace assay::plain
