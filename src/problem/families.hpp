#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "problem/case.hpp"
#include "problem/draw.hpp"
#include "problem/kernel.hpp"

namespace assay {

/// A place on an axis along which errors are measured: the logarithm of every decay ("log_decay"), the standard
/// deviation of a row's logits ("logit_deviation"), the width of the range of logarithms of gates ("log_gate_range").
struct AxisPlace {
  std::string_view axis;
  double at;
};

/// A named kind of input of one operator.
struct Family {
  std::string_view name;
  std::string_view statement;  ///< what is special about it, and what it is for
  Standard standard = Standard::bound;
  bool resumed = false;                ///< always from an initial state
  std::vector<AxisPlace> places = {};  ///< on axes of its operator

  /// Sets parameters and values; the tensors are there, zero. Exact families fit their widths to the contract.
  std::function<void(Case&, Draw&, const Contract&)> fill;

  /// Whether the kernel takes cases of this family.
  bool covers(const Kernel& kernel) const;

  /// Where it stands on an axis, if it does.
  std::optional<double> place_on(std::string_view axis) const;
};

/// Every family of an operator, the plainest first.
std::span<const Family> families_of(const Operator& op);

/// Those of the kernel's operator that cover it.
std::vector<const Family*> families_for(const Kernel& kernel);

/// Throws std::invalid_argument for an unknown name.
const Family& family_named(const Operator& op, std::string_view name);

}  // namespace assay
