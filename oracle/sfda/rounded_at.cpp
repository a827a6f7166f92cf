#include "oracle/sfda/rounded_at.hpp"

#include <array>
#include <bitset>
#include <cmath>

#include "arith/rounding.hpp"
#include "arith/tensor_core.hpp"
#include "oracle/sfda/rounded_head.hpp"

namespace assay::sfda {
namespace {

/// The nearest number of 24 bits, by Veltkamp; no range. GCC 12 drops a conversion to float and back from pairs of
/// doubles.
double to_f32(double x) {
  const double scaled = x * (0x1p29 + 1);
  return scaled - (scaled - x);
}

double toward_zero(double x) {
  const float nearest = static_cast<float>(x);
  return std::abs(nearest) > std::abs(x) ? std::nextafter(nearest, 0.0f) : nearest;
}

double to_tf32(double x) { return to_float(tf32_nearest_away(static_cast<float>(x))); }
double to_bf16(double x) { return to_float(bf16_nearest_even(static_cast<float>(x))); }

/// A running sum of products in double: fused multiply-adds, or tensor-core instructions.
class StepAccumulator {
 public:
  StepAccumulator(Product product, bool operands_round, bool sums_round)
      : product_(product), operands_round_(operands_round), sums_round_(sums_round) {}

  void add(double a, double b) {
    if (product_ == Product::fma) {
      sum_ += a * b;
      if (sums_round_) sum_ = to_f32(sum_);
      return;
    }
    a_[count_] = a;
    b_[count_] = b;
    if (++count_ == (product_ == Product::bf16 ? 16 : 8)) instruct();
  }

  double value() {
    if (count_ != 0) instruct();
    return sum_;
  }

 private:
  using Words = std::array<double, 16>;

  void instruct() {
    if (product_ == Product::three_tf32) return instruct_three();
    if (operands_round_)
      for (std::size_t i = 0; i < count_; ++i) {
        a_[i] = product_ == Product::bf16 ? to_bf16(a_[i]) : to_tf32(a_[i]);
        b_[i] = product_ == Product::bf16 ? to_bf16(b_[i]) : to_tf32(b_[i]);
      }
    add_instruction(a_, b_);
    count_ = 0;
  }

  /// Factors as pairs of words: low by high, high by low, high by high. Exact operands are pairs without a rest, and
  /// their products are whole.
  void instruct_three() {
    Words a_high = {}, a_low = {}, b_high = {}, b_low = {};
    for (std::size_t i = 0; i < count_; ++i) {
      a_high[i] = to_tf32(a_[i]);
      b_high[i] = to_tf32(b_[i]);
      a_low[i] = operands_round_ ? to_tf32(a_[i] - a_high[i]) : a_[i] - a_high[i];
      b_low[i] = operands_round_ ? to_tf32(b_[i] - b_high[i]) : b_[i] - b_high[i];
    }
    add_instruction(a_low, b_high);
    add_instruction(a_high, b_low);
    add_instruction(a_high, b_high);
    if (!operands_round_)
      for (std::size_t i = 0; i < count_; ++i) sum_ += a_low[i] * b_low[i];
    count_ = 0;
  }

  /// Products and the sum so far, aligned to the largest exponent, cut below 25 fraction bits, summed toward zero.
  void add_instruction(const Words& a, const Words& b) {
    if (!sums_round_) {
      for (std::size_t i = 0; i < count_; ++i) sum_ += a[i] * b[i];
      return;
    }
    int largest = sum_ == 0 ? tensor_core_floor : std::max(tensor_core_floor, std::ilogb(sum_));
    for (std::size_t i = 0; i < count_; ++i)
      if (a[i] * b[i] != 0) largest = std::max(largest, std::ilogb(a[i]) + std::ilogb(b[i]));
    const double unit = std::ldexp(1.0, largest - 25), per_unit = std::ldexp(1.0, 25 - largest);
    double units = std::trunc(sum_ * per_unit);
    for (std::size_t i = 0; i < count_; ++i) units += std::trunc(a[i] * b[i] * per_unit);
    sum_ = toward_zero(units * unit);
  }

  static constexpr int tensor_core_floor = -133;

  Product product_;
  bool operands_round_, sums_round_;
  double sum_ = 0;
  Words a_ = {}, b_ = {};
  std::size_t count_ = 0;
};

class KindSteps {
 public:
  explicit KindSteps(std::span<const StepKind> kinds) {
    for (const StepKind kind : kinds) rounds_.set(static_cast<std::size_t>(kind));
  }

  bool rounds(StepKind kind) const { return rounds_[static_cast<std::size_t>(kind)]; }

  double elementary(std::string_view, double, double y) const { return at(StepKind::elementary, y); }
  double accumulate(double x) const { return at(StepKind::accumulate, x); }
  double state(double x) const { return at(StepKind::state, x); }
  template <class A, class B>
  B decayed(const A& a, const B& b) const {
    return multiplied(StepKind::decayed, a, b);
  }
  template <class K>
  K product(double a, const K& b) const {
    return multiplied(StepKind::product, a, b);
  }
  StepAccumulator sum(Product product) const {
    return {product, rounds(StepKind::operand), rounds(StepKind::accumulate)};
  }

 private:
  double at(StepKind kind, double x) const { return rounds(kind) ? to_f32(x) : x; }

  /// A product with 1 is exact in any format.
  template <class A, class B>
  B multiplied(StepKind kind, const A& a, const B& b) const {
    return a == A(1) ? b : b == B(1) ? B(a) : rounded_product(kind, a, b);
  }

  double rounded_product(StepKind kind, double a, double b) const { return at(kind, a * b); }
  Cx<double> rounded_product(StepKind kind, double a, const Cx<double>& b) const {
    return {at(kind, a * b.re), at(kind, a * b.im)};
  }
  /// One product and one fused multiply-add a component.
  Cx<double> rounded_product(StepKind kind, const Cx<double>& a, const Cx<double>& b) const {
    return {at(kind, at(kind, a.re * b.re) - a.im * b.im), at(kind, at(kind, a.re * b.im) + a.im * b.re)};
  }

  std::bitset<all_step_kinds.size()> rounds_;
};

template <class K>
void write_head(const Case& c, const Contract& contract, std::int64_t n, std::int64_t h, const KindSteps& steps,
                Draw& draw, Values& out) {
  const Run<K> run = RoundedHead<K, KindSteps>(c, contract, n, h, draw, steps).result();
  const FloatFormat& format = float_format(contract.output);
  const bool narrow = steps.rounds(StepKind::output) && contract.output != Format::f32;
  for_every_row(c, n, h, run, [&](const std::string& name, std::size_t first, std::span<const double> row) {
    std::vector<double>& values = out.at(name);
    const bool rounds = narrow && name.starts_with("o");
    for (std::size_t j = 0; j < row.size(); ++j) values[first + j] = rounds ? round_to(format, row[j]) : row[j];
  });
}

}  // namespace

Values rounded_at(const Case& c, const Contract& contract, std::span<const StepKind> kinds) {
  Values out;
  for (const TensorSpec& spec : c.op->tensors)
    if (is_output(spec.role))
      out.emplace(spec.name, std::vector<double>(static_cast<std::size_t>(count_of(spec.shape(c.sizes)))));
  const KindSteps steps(kinds);
  Draw draw(1, "order of sums", 0);
  for (std::int64_t n = 0; n < c.sequences(); ++n)
    for (std::int64_t h = 0; h < c.sizes[Axis::head]; ++h)
      is_complex(c) ? write_head<Cx<double>>(c, contract, n, h, steps, draw, out)
                    : write_head<double>(c, contract, n, h, steps, draw, out);
  return out;
}

}  // namespace assay::sfda
