#pragma once

#include <string>

#include "problem/oracle.hpp"

namespace assay::sas {

/// The first number at which a backward kernel with this contract rounds, in whatever order it sums; empty: there is
/// none. The stored L of a row is its largest logit, which leads all others so far that their weights are 0 in float32.
std::string rounding_of_gradients(const Case& c, const Contract& contract);

/// The gradients of such a case, without an error: all weights but those of the largest logits are 0.
References gradients_of_winners(const Case& c);

}  // namespace assay::sas
