#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "problem/case.hpp"
#include "problem/precision.hpp"

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
};
using Allowances = std::map<std::string, Allowance, std::less<>>;

/// The mathematics of one operator. Every function is pure.
struct Oracle {
  const Operator* op = nullptr;

  /// Outputs with a certified radius. The case's element format is not a field.
  std::function<References(const Case&)> evaluate;

  /// The allowance of a kernel with this contract.
  std::function<Allowances(const Case&, const Contract&, const References&)> bound;

  /// The same formula rounded where the contract says so, sums in an order drawn from `order`.
  std::function<Tensors(const Case&, const Contract&, std::uint64_t order)> plain;

  /// The first number at which a kernel with this contract rounds, in whatever order it sums; empty: there is none, so
  /// that its outputs must be the oracle's values. An operator without exact families has no such function.
  std::function<std::string(const Case&, const Contract&)> rounding = {};

  /// Outputs over the field of the case's element format, by definition.
  std::function<Tensors(const Case&)> over_field;

  /// What `evaluate` certifies, by the formulas as they are written, at 50 digits: slow, for comparisons.
  std::function<References(const Case&)> by_definition;
};

}  // namespace assay
