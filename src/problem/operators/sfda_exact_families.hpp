#pragma once

#include "problem/case.hpp"
#include "problem/draw.hpp"
#include "problem/precision.hpp"

namespace assay::operators::sfda_exact {

/// Inputs of the delta rule on which no kernel with this contract rounds, in whatever order it sums: decays are 0 or 1,
/// phases 0, and one entry of a key is a unit, which makes a token replace, reflect or leave one row of the state.
///
/// Small: beta in {0, 1, 2} and values of few bits, so that every number has at most 8. Full: values have all bits that
/// the contract's formats hold, and a row is forgotten before a key meets it again, because v - S would be longer.
void fill_small(Case& c, Draw& draw, const Contract& contract);
void fill_full(Case& c, Draw& draw, const Contract& contract);

}  // namespace assay::operators::sfda_exact
