#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "problem/case.hpp"
#include "problem/draw.hpp"
#include "problem/precision.hpp"

// What plain implementations compute with: numbers rounded where a contract says so.

namespace assay::plain {

/// x rounded to the format, in float32.
float in_format(float x, Format format);

/// y = f(x) with an error as large as the contract allows the function: the same for the same x and run.
float elementary(const Contract& contract, std::string_view function, double x, double y, std::uint64_t run);

/// A running sum of products: fused multiply-adds in float32, or tensor-core instructions.
class Accumulator {
 public:
  explicit Accumulator(Product product, float start = 0) : product_(product), sum_(start) {}

  void add(float a, float b);
  float value();

 private:
  template <class T, class WordA, class WordB>
  void sum_words(WordA word_a, WordB word_b);
  void instruct();

  Product product_;
  float sum_;
  std::array<float, 16> a_, b_;
  std::size_t count_ = 0;
};

/// 0 … count - 1 in random order.
std::vector<std::size_t> shuffled(std::size_t count, Draw& draw);

}  // namespace assay::plain
