#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "problem/tensor.hpp"

namespace assay {

/// What an axis of a tensor counts. `sequences` is N (B without cu_seqlens), `bounds` is N + 1. A `group` is the query
/// heads that share a head of keys and values; a `block` is of tokens, from the first of a sequence on; a `slot` holds
/// the number of a block that is selected.
enum class Axis { batch, time, head, channel, feature, value, sequences, bounds, group, block, slot };
constexpr std::size_t axis_count = 11;

std::string_view name_of(Axis axis);

/// One length an axis.
class Sizes {
 public:
  std::int64_t operator[](Axis axis) const { return lengths_[static_cast<std::size_t>(axis)]; }
  std::int64_t& operator[](Axis axis) { return lengths_[static_cast<std::size_t>(axis)]; }
  friend bool operator==(const Sizes&, const Sizes&) = default;

 private:
  std::array<std::int64_t, axis_count> lengths_ = {1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1};
};

/// What a tensor is to its operator. `position` counts the tokens before each sequence's first; a `sum` is what an
/// output is the quotient of, returned on request. The n-th final state is the n-th initial state some tokens later. A
/// `node` is a step on the way to an output, one a row of tokens: which one it is the kernel's algorithm says.
enum class Role { input, parameter, position, initial_state, bounds, output, final_state, sum, node };

constexpr bool is_output(Role role) {
  return role == Role::output || role == Role::final_state || role == Role::sum || role == Role::node;
}

/// Whether the operator itself defines it, whatever the kernel.
constexpr bool is_result(Role role) { return role == Role::output || role == Role::final_state; }

/// How a tensor's elements are stored: in the case's element format, or in one that is fixed.
enum class Storage {
  element,  ///< f32, bf16, ... as the contract's input says
  result,   ///< as the contract's output says
  state,    ///< f32
  index,    ///< i64
};

struct TensorSpec {
  std::string_view name;
  Role role;
  std::vector<Axis> axes;
  Storage storage = Storage::element;
  bool optional = false;
  bool logarithm = false;  ///< of what is not negative: -inf stands for 0

  bool has(Axis axis) const;
  bool is_square() const;  ///< a matrix from features to features
  Shape shape(const Sizes& sizes) const;
};

}  // namespace assay
