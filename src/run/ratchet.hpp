#pragma once

#include <string>
#include <vector>

#include "run/gate.hpp"

namespace assay {

/// What --update makes of a baseline.
struct Update {
  Baseline baseline;                  ///< with its old history
  std::vector<std::string> loosened;  ///< "KERNEL, FAMILY, SIZE: worse": needs a reason
  std::vector<std::string> refused;   ///< failing cells: no baseline holds them
  std::size_t added = 0, tightened = 0;
};

/// New cells are added. A cell whose errors fell takes them; one with other bits takes the bits and keeps its errors,
/// so that many small changes cannot add up. Loosened: errors that rose, other inputs, a kernel or family that is gone.
Update updated(const Baseline& old, const std::vector<GatedCell>& gated, const std::vector<MeasuredCell>& fresh);

}  // namespace assay
