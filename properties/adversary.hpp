#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "arith/rounding.hpp"

/// Rounding turned against a formula: one run tells how each rounding moves each output, a second one rounds every
/// time to the side that adds to the error of one output.
namespace assay {

/// What a run computed, as a list of steps: each depends on at most two before it.
class Tape {
 public:
  struct Step {
    int left, right;  ///< -1: none
    double by_left, by_right;
  };

  int add(const Step& step) {
    steps_.push_back(step);
    return static_cast<int>(steps_.size()) - 1;
  }

  void mark_rounding(int step) { roundings_.push_back(step); }

  /// For every rounding in turn, the derivative of one step by its result.
  std::vector<double> sensitivities(int output) const {
    std::vector<double> by(steps_.size(), 0.0);
    if (output >= 0) by[static_cast<std::size_t>(output)] = 1;
    for (std::size_t i = steps_.size(); i-- > 0;) {
      const Step& step = steps_[i];
      if (step.left >= 0) by[static_cast<std::size_t>(step.left)] += step.by_left * by[i];
      if (step.right >= 0) by[static_cast<std::size_t>(step.right)] += step.by_right * by[i];
    }
    std::vector<double> result;
    for (const int step : roundings_) result.push_back(by[static_cast<std::size_t>(step)]);
    return result;
  }

  /// The tape that numbers write to; one a thread.
  static Tape*& current() {
    static thread_local Tape* tape = nullptr;
    return tape;
  }

 private:
  std::vector<Step> steps_;
  std::vector<int> roundings_;
};

/// A double that writes down where it came from.
class Taped {
 public:
  Taped() = default;
  Taped(int value) : value_(value) {}
  explicit Taped(double value) : value_(value) {}
  Taped(double value, const Tape::Step& step) : value_(value), step_(Tape::current()->add(step)) {}

  double value() const { return value_; }
  int step() const { return step_; }

  friend Taped operator+(const Taped& x, const Taped& y) { return {x.value_ + y.value_, {x.step_, y.step_, 1, 1}}; }
  friend Taped operator-(const Taped& x, const Taped& y) { return {x.value_ - y.value_, {x.step_, y.step_, 1, -1}}; }
  friend Taped operator*(const Taped& x, const Taped& y) {
    return {x.value_ * y.value_, {x.step_, y.step_, y.value_, x.value_}};
  }
  friend Taped operator/(const Taped& x, const Taped& y) {
    return {x.value_ / y.value_, {x.step_, y.step_, 1 / y.value_, -x.value_ / (y.value_ * y.value_)}};
  }
  friend Taped operator-(const Taped& x) { return {-x.value_, {x.step_, -1, -1, 0}}; }
  friend bool operator==(const Taped& x, const Taped& y) { return x.value_ == y.value_; }
  friend Taped abs(const Taped& x) { return {std::abs(x.value_), {x.step_, -1, x.value_ < 0 ? -1.0 : 1.0, 0}}; }
  friend Taped cos(const Taped& x) { return {std::cos(x.value_), {x.step_, -1, -std::sin(x.value_), 0}}; }
  friend Taped sin(const Taped& x) { return {std::sin(x.value_), {x.step_, -1, std::cos(x.value_), 0}}; }
  friend Taped tanh(const Taped& x) {
    const double r = std::tanh(x.value_);
    return {r, {x.step_, -1, 1 - r * r, 0}};
  }
  friend Taped exp(const Taped& x) {
    const double r = std::exp(x.value_);
    return {r, {x.step_, -1, r, 0}};
  }
  friend Taped log(const Taped& x) { return {std::log(x.value_), {x.step_, -1, 1 / x.value_, 0}}; }

 private:
  double value_ = 0;
  int step_ = -1;
};

/// Which points of a formula round (oracle/steps.hpp).
struct RoundingPoints {
  bool input = false, elementary = false, product = false, accumulate = false;
  bool dot = false, weights = false, state = false, output = false;
  const FloatFormat* of_weights = nullptr;  ///< where weights have another format
};

/// A policy of rounding points; `Point` has round(x) for those that round.
template <class Point>
class Rounded {
 public:
  Rounded(const RoundingPoints& points, Point& point) : points_(points), point_(&point) {}

  // clang-format off
  template <class K> K input(K x) const { return at(points_.input, x); }
  template <class K> K elementary(K x) const { return at(points_.elementary, x); }
  template <class K> K product(K x) const { return at(points_.product, x); }
  template <class K> K accumulate(K x) const { return at(points_.accumulate, x); }
  template <class K> K dot(K x) const { return at(points_.dot, x); }
  template <class K> K weights(K x) const { return at(points_.weights, x, points_.of_weights); }
  template <class K> K state(K x) const { return at(points_.state, x); }
  template <class K> K output(K x) const { return at(points_.output, x); }
  // clang-format on

 private:
  template <class K>
  K at(bool rounds, const K& x, const FloatFormat* other = nullptr) const {
    return rounds ? point_->round(x, other) : x;
  }

  RoundingPoints points_;
  Point* point_;
};

/// The first run: exact, every point marked.
struct MarkingPoint {
  Taped round(const Taped& x, const FloatFormat*) const {
    const Taped marked(x.value(), {x.step(), -1, 1, 0});
    Tape::current()->mark_rounding(marked.step());
    return marked;
  }
};

/// The second run: up where that adds to the output, down where it takes away, or the other way round.
class AdversePoint {
 public:
  AdversePoint(const FloatFormat& format, const std::vector<double>& sensitivities, double side)
      : format_(format), sensitivities_(sensitivities), side_(side) {}

  double round(double x, const FloatFormat* other) {
    const double side = side_ * sensitivities_.at(next_++);
    return round_to(other == nullptr ? format_ : *other, x, side < 0 ? Rounding::downward : Rounding::upward);
  }

 private:
  const FloatFormat& format_;
  const std::vector<double>& sensitivities_;
  double side_;
  std::size_t next_ = 0;
};

/// What an adversary makes of each output.
struct AdverseError {
  double value;  ///< without rounding
  double error;  ///< the larger of both sides
};

/// `formula` is a generic lambda `[]<class K>(const auto& steps) -> std::vector<K>` whose control flow does not depend
/// on values.
template <class Formula>
std::vector<AdverseError> adverse_errors(const FloatFormat& format, const RoundingPoints& points,
                                         const Formula& formula) {
  Tape tape;
  Tape::current() = &tape;
  MarkingPoint marking;
  const std::vector<Taped> exact = formula.template operator()<Taped>(Rounded<MarkingPoint>(points, marking));
  std::vector<AdverseError> errors;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    const std::vector<double> sensitivities = tape.sensitivities(exact[i].step());
    errors.push_back({exact[i].value(), 0});
    for (const double side : {1.0, -1.0}) {
      AdversePoint adverse(format, sensitivities, side);
      const std::vector<double> got = formula.template operator()<double>(Rounded<AdversePoint>(points, adverse));
      errors.back().error = std::fmax(errors.back().error, std::abs(got[i] - exact[i].value()));
    }
  }
  return errors;
}

}  // namespace assay
