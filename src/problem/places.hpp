#pragma once

#include <array>
#include <cstdint>

#include "problem/case.hpp"

namespace assay {

/// Where an element of a tensor stands: a coordinate an axis, -1 for an axis that the tensor does not have.
struct Place {
  std::array<std::int64_t, axis_count> coordinates;
  std::int64_t sequence = -1;  ///< of the token or the state
  std::int64_t token = -1;     ///< counted from the sequence's first; -1 for nodes, which may be of all

  std::int64_t operator[](Axis axis) const { return coordinates[static_cast<std::size_t>(axis)]; }
};

/// The place of element i of a tensor of the case.
Place place_of(const Case& c, const TensorSpec& spec, std::int64_t i);

}  // namespace assay
