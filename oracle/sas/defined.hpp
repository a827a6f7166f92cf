#pragma once

#include "problem/oracle.hpp"

namespace assay::sas {

// Softmax attention of every operator by its definition, `attention` over the terms that a query reads.

/// Over the field of the case: scores are whole numbers of either sign, L is e^L.
Tensors attention_over_field(const Case& c);

/// At 50 digits.
References attention_by_definition(const Case& c);

}  // namespace assay::sas
