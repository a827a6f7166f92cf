#pragma once

#include "problem/operator.hpp"

namespace assay::operators {

// What stands between the scores of blocks and attention by blocks. A query's history is the full blocks before its
// own; of other blocks nothing is read. Over a field scores are whole numbers of either sign, and `log_gate` and `lse`
// stand for g and e^L.

/// Log-gates of a query's history blocks, as sas.attention takes them, from what sas.select scored; and L, the
/// logarithm of the sum of the scores' powers, whichever rule makes gates of them. -inf stands for no gate: of blocks
/// that are no history, and of scores that are -inf.
const Operator& sas_gates();

/// Gradient in the scores from that in the log-gates, as sas.gradients returns it: 0 at blocks that are not selected.
/// With form 1 gates are straight-through: `d_gate` is the gradient in the gates themselves, 1 or 0 forwards, and
/// log_gate still the logarithm of what they stand for. 0 for blocks that are no history.
const Operator& sas_score_gradients();

}  // namespace assay::operators
