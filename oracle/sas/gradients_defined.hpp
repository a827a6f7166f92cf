#pragma once

#include "problem/oracle.hpp"

namespace assay::sas {

// Gradients of every operator of softmax attention by the formulas as they are written, `attention_gradients` of the
// weights that `recomputed_weights` makes of the stored L.

/// Over the field of the case, where L is e^L; a row with L = 0 has no weights.
Tensors gradients_over_field(const Case& c);

/// At 50 digits.
References gradients_by_definition(const Case& c);

}  // namespace assay::sas
