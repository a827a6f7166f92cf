#pragma once

#include "problem/case.hpp"
#include "problem/draw.hpp"
#include "problem/operators/fillers.hpp"

// What only the families of SANATAN's operators are made of.

namespace assay::operators {

/// gamma, the normaliser and eps: the published ones, sometimes others.
void set_parameters(Case& c, Draw& draw);

/// A state that a history of tokens could have left: the constant channel counts them, the others stay below. Does
/// nothing where the case starts from zero.
void fill_history(Case& c, Draw& draw, double tokens);

}  // namespace assay::operators
