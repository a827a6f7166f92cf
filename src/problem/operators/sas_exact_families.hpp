#pragma once

#include "problem/case.hpp"
#include "problem/draw.hpp"
#include "problem/precision.hpp"

namespace assay::operators::sas_exact {

/// Of the keys that a query sees each leads the next by 128 or more, so that all weights but the first are 0 in
/// float32: o is that key's value, L its score. Keys and values have as many bits as their formats and factors hold;
/// gates are 1, inside the softmax also 0.
void fill_winners(Case& c, Draw& draw, const Contract& contract);

/// For winners: L is the winner's score. Of the rows that one key wins the first alone has a do other than 0, one entry
/// of it: a number of full width that meets o = v, so that dv is that number and dS is 0, or 1 that meets o = v - 1 or
/// v + 1, so that dq is a key of full width.
void fill_gradients_of_winners(Case& c, Draw& draw, const Contract& contract);

/// Scores of blocks: integers that are 128 or more apart and from 0, a third of them -inf instead. All powers relative
/// to the largest are 0 in float32 but its own, so that log-gates are differences, and L is the largest score.
void fill_scores_of_winners(Case& c, Draw& draw, const Contract& contract);

/// Log-gates of 0, a third of them -inf; gradients are integers whose sums over a row have 24 bits.
void fill_open_and_closed_gates(Case& c, Draw& draw, const Contract& contract);

}  // namespace assay::operators::sas_exact
