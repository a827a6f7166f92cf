#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "problem/axes.hpp"

namespace assay {

/// A number that is part of the operator's definition; its values are exact f32.
struct ParameterSpec {
  std::string_view name;
  std::string_view meaning;
  bool integer = false;
};

/// A mathematical contract with named tensors: several kernels may implement it.
struct Operator {
  std::string_view name;   ///< "sanatan.attention"
  std::string_view paper;  ///< "sanatan"
  std::string_view statement;
  std::vector<TensorSpec> tensors;
  std::vector<ParameterSpec> parameters;
  bool joint_domain = false;    ///< inputs bound each other: finite numbers alone may grow out of range
  std::int64_t state_work = 2;  ///< multiply-adds of real numbers a token takes an entry of the state

  const TensorSpec* find(std::string_view tensor) const;
  /// The initial state that a final one goes on from: "S0_re" of "S_re". Null if there is none.
  const TensorSpec* initial_of(const TensorSpec& final_state) const;
  bool uses(Axis axis) const;  ///< whether any tensor has it
};

}  // namespace assay
