#include "oracle/sanatan/exactness.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "arith/inexact_flag.hpp"
#include "oracle/operand_fit.hpp"
#include "oracle/sanatan/attention.hpp"
#include "oracle/sanatan/chunk.hpp"
#include "oracle/sanatan/head.hpp"
#include "oracle/sanatan/scores.hpp"

namespace assay::sanatan {
namespace {

using Number = FlaggedNumber;

/// The rounding points of a contract, each of which raises a number's flag where it would round. With state and output
/// narrowed by some bits, what is still exact did not need its full width.
struct Demands {
  const Contract& contract;
  int bits_less = 0;

  FloatFormat narrowed(Format format) const {
    FloatFormat f = float_format(format);
    f.precision -= bits_less;
    return f;
  }

  Number input(const Number& x) const { return x; }
  Number elementary(const Number& x) const { return x; }
  Number product(const Number& x) const { return x.summed(float32_format); }
  Number accumulate(const Number& x) const { return x.summed(float_format(contract.accumulate)); }
  Number dot(const Number& x) const { return x.summed(float_format(contract.accumulate)); }
  Number weights(const Number& x) const {
    return x.rounded(contract.product == Product::tf32 ? tf32_format : float_format(contract.weights));
  }
  Number state(const Number& x) const { return x.summed(narrowed(contract.state)); }
  Number output(const Number& x) const { return x.rounded(narrowed(contract.output)); }
};

/// What one head needs of its contract.
class HeadDemands {
 public:
  HeadDemands(const Case& c, const Contract& contract, int bits_less, std::int64_t n, std::int64_t h)
      : x_(head_of<Number>(c, n, h)),
        steps_{contract, bits_less},
        rule_{.power = static_cast<int>(c.parameter("p")),
              .scale = Number(c.parameter("normaliser")),
              .epsilon = Number(c.parameter("eps"))} {}

  /// Empty, or the first rounding.
  std::string find() {
    require_operands(x_.phi_q, "phi_q", fits_one_word);
    require_operands(x_.phi_k, "phi_k", fits_one_word);
    require_operands(x_.v, "v", fits_operand);
    if (steps_.contract.algorithm == Algorithm::parallel)
      by_scores();
    else
      by_chunks();
    return found_;
  }

 private:
  void by_scores() {
    Matrix<Number> s = scores(x_.phi_q, x_.phi_k, steps_);
    if (x_.channels == 4) s = clipped(s, open_scores(s));
    require("o", attention(s, x_.v, rule_, steps_));
  }

  void by_chunks() {
    const auto chunk = static_cast<std::size_t>(steps_.contract.chunk);
    State<Number> state = x_.initial;
    for (std::size_t begin = 0; begin < x_.T; begin += chunk) {
      const std::size_t length = std::min(chunk, x_.T - begin);
      if (steps_.contract.algorithm == Algorithm::chunk) require_read_states(state, begin, length);
      const std::vector<std::size_t> lengths = {length};
      auto run = steps_.contract.algorithm == Algorithm::chunk
                     ? chunked<Number>(rows(x_.phi_q, begin, length), rows(x_.phi_k, begin, length),
                                       rows(x_.v, begin, length), state, lengths, steps_)
                     : recurrence<Number>(rows(x_.phi_q, begin, length), rows(x_.phi_k, begin, length),
                                          rows(x_.v, begin, length), state, Order::update_then_read, steps_);
      require("o", normalised(run.sums, raw_epsilon(rule_), steps_));
      state = std::move(run.state);
    }
    require("S", state.S);
    for (const Number& z : state.z) note("z", z);
  }

  static Matrix<Number> rows(const Matrix<Number>& from, std::size_t begin, std::size_t length) {
    Matrix<Number> result(length, from.cols());
    for (std::size_t t = 0; t < length; ++t) std::ranges::copy(from.row(begin + t), result.row(t).begin());
    return result;
  }

  /// The state enters the product of the read-out as an operand, wherever a feature of the chunk is not 0.
  void require_read_states(const State<Number>& state, std::size_t begin, std::size_t length) {
    for (std::size_t f = 0; f < x_.width(); ++f) {
      bool read = false;
      for (std::size_t t = begin; t < begin + length; ++t) read |= x_.phi_q(t, f).value() != 0;
      for (std::size_t j = 0; read && j < x_.dv; ++j)
        if (found_.empty() && !fits_operand(steps_.contract, state.S(f, j).value()))
          found_ = fmt::format("S = {} is no operand of the product", state.S(f, j).value());
    }
  }

  template <class Fits>
  void require_operands(const Matrix<Number>& m, std::string_view name, Fits fits) {
    for (std::size_t t = 0; t < m.rows(); ++t)
      for (const Number& x : m.row(t))
        if (found_.empty() && !fits(steps_.contract, x.value()))
          found_ = fmt::format("{} = {} is no operand of the product", name, x.value());
  }

  void require(std::string_view name, const Matrix<Number>& m) {
    for (std::size_t t = 0; t < m.rows(); ++t)
      for (const Number& x : m.row(t)) note(name, x);
  }

  void note(std::string_view name, const Number& x) {
    if (found_.empty() && x.inexact()) found_ = fmt::format("{} = {} took a rounding", name, x.value());
  }

  Head<Number> x_;
  Demands steps_;
  WeightRule<Number> rule_;
  std::string found_;
};

}  // namespace

std::string rounding_of(const Case& c, const Contract& contract, int bits_less) {
  for (std::int64_t n = 0; n < c.sequences(); ++n)
    for (std::int64_t h = 0; h < c.sizes[Axis::head]; ++h)
      if (std::string found = HeadDemands(c, contract, bits_less, n, h).find(); !found.empty()) return found;
  return "";
}

}  // namespace assay::sanatan
