#pragma once

#include "problem/precision.hpp"

namespace assay {

/// The units of rounding that a contract implies, All are relative.
struct RoundingUnits {
  double u = 0x1p-24;     ///< of the accumulator
  double eta = 0x1p-150;  ///< half its least subnormal, or its least normal number where subnormals are flushed
  double features = 0;    ///< of φ as it enters a product; 0: as it is
  double weights = 0;     ///< of a weight as it is kept
  double operand = 0;     ///< of each factor of a tile product, beyond the above
  double state = 0;       ///< of S as it enters the read-out
  double small = 0;       ///< absolute: half the least subnormal of the formats that factors and weights take
  double added = 0;       ///< absolute: of a sum and an addend below the normal numbers, where memory adds them
  double truncation = 0;  ///< one-sided, of an accumulator's chain of tensor-core instructions
};

RoundingUnits rounding_units(const Contract& contract);

}  // namespace assay
