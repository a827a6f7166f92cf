#pragma once

#include "oracle/sas/gates.hpp"

namespace assay::sas {

/// Where a gate acts: inside the softmax, as a factor of e^z, or outside, as a factor of v.
enum class GatePosition { inner, outer };

/// What a gate is in the forward: its value, or 1 where its block is selected and else 0 (straight-through: the
/// gradient is that of the value).
enum class GateForm { continuous, straight_through };

/// Which blocks the training attention sees: the selected ones, or all. Gates are normalised over all in both.
enum class Scope { sparse, full };

/// The four choices that [SAS] s4.1-4.2 compares; the defaults are SAS.
struct GateRule {
  GatePosition position = GatePosition::inner;
  Normalisation normalisation = Normalisation::softmax;
  GateForm form = GateForm::continuous;
  Scope scope = Scope::sparse;
};

}  // namespace assay::sas
