#pragma once

#include "problem/operator.hpp"

namespace assay::operators {

// The delta rule with decays: S_t = (I - beta k k*) Lambda S_{t-1} + beta k v*, o_t = S_t* q_t. A decay is given by its
// logarithm, -inf for 0. Over a field that logarithm, and a phase, is a whole number: `field_exponential.hpp`.

/// Lambda = diag(alpha e^{i theta}), everything complex, re and im in planes of their own.
const Operator& sfda_attention();

/// Lambda = diag(alpha), one decay a dimension: Kimi Delta Attention.
const Operator& kda_attention();

/// Lambda = alpha, one decay a head.
const Operator& gated_delta_attention();

/// Lambda = 1.
const Operator& delta_attention();

/// The real rule in d pairs of dimensions (x, y), planes of their own, with Lambda that multiplies x + iy by
/// alpha e^{i theta}: real keys with rotations. Another model than complex keys, which erase along i k as well.
const Operator& rotation_blocks_attention();

/// S -> P S + Z, the composition of maps S -> A_t S + B_t of chunks, or of tokens: P = A_n ... A_1 and Z = the state
/// that B_1 ... B_n leave. A kernel also returns its nodes, a row of tokens each.
const Operator& sfda_compose();

}  // namespace assay::operators
