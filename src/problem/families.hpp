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

/// A named kind of input of one operator.
struct Family {
  std::string_view name;
  std::string_view statement;  ///< what is special about it, and what it is for
  Standard standard = Standard::bound;
  bool resumed = false;                  ///< always from an initial state
  std::optional<double> log_decay = {};  ///< the logarithm of every decay, or about that: a place on an axis

  /// Sets parameters and values; the tensors are there, zero. Exact families fit their widths to the contract.
  std::function<void(Case&, Draw&, const Contract&)> fill;

  /// Whether the kernel takes cases of this family.
  bool covers(const Kernel& kernel) const;
};

/// Every family of an operator, the plainest first.
std::span<const Family> families_of(const Operator& op);

/// Those of the kernel's operator that cover it.
std::vector<const Family*> families_for(const Kernel& kernel);

/// Throws std::invalid_argument for an unknown name.
const Family& family_named(const Operator& op, std::string_view name);

}  // namespace assay
