#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "problem/case.hpp"
#include "problem/draw.hpp"

namespace assay {

/// A named kind of input of one operator.
struct Family {
  std::string_view name;
  std::string_view statement;              ///< what is special about it, and what it is for
  bool exact = false;                      ///< no rounding can happen: the bound is 0
  bool field = false;                      ///< elements of a field
  std::function<void(Case&, Draw&)> fill;  ///< sets parameters and values; the tensors are there, zero
};

/// Every family of an operator, the plainest first.
std::span<const Family> families_of(const Operator& op);

/// Throws std::invalid_argument for an unknown name.
const Family& family_named(const Operator& op, std::string_view name);

}  // namespace assay
