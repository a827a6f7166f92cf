#pragma once

#include "problem/case.hpp"
#include "problem/draw.hpp"
#include "problem/precision.hpp"

namespace assay::operators {

/// Inputs of sanatan.feature_attention on which no kernel with this contract rounds, in whatever order it sums.
///
/// p = 1, the total not clipped: features come in pairs (f, f'), z_f - z_f' runs through 1, 2, 4, 2, 1 ... and a query
/// reads phi_q = 2^a on one or two pairs of equal difference, or longer ones on two that add up to a power of two. So D
/// is a power of two and N short enough for the output; what both of a pair take in cancels, however long the states
/// have become.
///
/// Other powers, or the clip: a feature is met by some tokens with one score, and read when their number is a power of
/// two.
///
/// Small: every number has at most 8 bits, so that every format holds it. Full: states need 24 bits, features
/// and values as many as the contract leaves.
void fill_exact_small(Case& c, Draw& draw, const Contract& contract);
void fill_exact_full(Case& c, Draw& draw, const Contract& contract);

}  // namespace assay::operators
