#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "problem/case.hpp"
#include "problem/precision.hpp"
#include "problem/step_kind.hpp"

namespace assay {

/// The true value of each element of one output: hi + lo, wrong by at most radius.
struct Reference {
  Shape shape;
  std::vector<double> hi;
  std::vector<double> lo;
  std::vector<double> radius;
};
using References = std::map<std::string, Reference, std::less<>>;

/// How wrong each element of one output may be.
struct Allowance {
  std::vector<double> deterministic;  ///< D: every rounding at its worst
  std::vector<double> statistical;    ///< P ≤ D: independent roundings, 2e^-32 an element
  std::vector<bool> degenerate;       ///< elements that the operator does not determine; empty: none
  std::vector<double> largest;        ///< |value| that a degenerate element may have all the same; empty: any
  std::vector<double> deviation;  ///< expected of the error, where roundings to nearest make it; 0 or empty: unknown
};
using Allowances = std::map<std::string, Allowance, std::less<>>;

/// Elements of outputs, by name.
using Values = std::map<std::string, std::vector<double>, std::less<>>;

/// Truth and bound of sequences that come in windows, each from where the one before ended, so that memory does not
/// depend on their length. What one window leaves to the next is a list of numbers that can be kept in a file; an empty
/// list stands for the beginning. The initial state that a later window has is the kernel's, not the truth's.
struct WindowOracle {
  struct Part {
    References want;
    std::vector<double> state;  ///< after the window, with its radius
  };
  std::function<Part(const Case& window, std::span<const double> state)> evaluate;
  /// Of a window whose initial state is wrong by at most `errors`.
  std::function<Allowances(const Case& window, const Contract&, std::span<const double> errors)> bound;
  /// How wrong the state is after the window, as `errors`.
  std::function<std::vector<double>(const Case& window, const Contract&, std::span<const double> errors)> errors_after;

  explicit operator bool() const { return static_cast<bool>(evaluate); }
};

/// The mathematics of one operator. Every function is pure.
struct Oracle {
  const Operator* op = nullptr;

  /// Outputs with a certified radius. The case's element format is not a field.
  std::function<References(const Case&)> evaluate;

  /// The allowance of a kernel with this contract.
  std::function<Allowances(const Case&, const Contract&, const References&)> bound;

  /// The output that is a quotient, from the sums that a kernel returned: what its last roundings may do to it.
  std::function<std::pair<References, Allowances>(const Case&, const Contract&, const Tensors& sums)> quotient;

  /// What is due of nodes and outputs, each by one step from the nodes that a kernel with this contract returned; null
  /// where the operator has no nodes.
  std::function<std::pair<References, Allowances>(const Case&, const Contract&, const Tensors& nodes)> steps;

  /// The same formula rounded where the contract says so, sums in an order drawn from `order`.
  std::function<Tensors(const Case&, const Contract&, std::uint64_t order)> plain;

  /// The first number at which a kernel with this contract rounds, in whatever order it sums; empty: there is none, so
  /// that its outputs must be the oracle's values. An operator without exact families has no such function.
  std::function<std::string(const Case&, const Contract&)> rounding = {};

  /// Outputs over the field of the case's element format, by definition.
  std::function<Tensors(const Case&)> over_field;

  /// What `evaluate` certifies, by the formulas as they are written, at 50 digits: slow, for comparisons.
  std::function<References(const Case&)> by_definition;

  /// What `evaluate` gave, with smaller radii: slow, for cases whose radii are not small beside P. An operator whose
  /// certificate does not hold at other precisions has no such function.
  std::function<References(const Case&, const References& certified)> refined = {};

  /// Sequences in windows. An operator whose state is not handed on so has none.
  WindowOracle windows = {};

  /// Outputs of the contract's algorithm in double, where steps of the given kinds alone round as the contract says.
  /// An operator whose errors are not split by kind has no such function.
  std::function<Values(const Case&, const Contract&, std::span<const StepKind>)> rounded_at = {};
};

}  // namespace assay
