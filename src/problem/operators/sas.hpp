#pragma once

#include "problem/operator.hpp"

namespace assay::operators {

// Softmax attention, o = sum_j p_j v_j with p = softmax(scale q K^T + bias), and L = log sum_j e^(scale q k_j + bias).
// G query heads share a head of keys and values. A row without a visible key has o = 0, L = -inf. Over a field scores
// are whole numbers of either sign, e^z is a power of one element, and L stands for e^L.

/// Causal: every token is a query, and sees the tokens up to itself.
const Operator& softmax_attention();

/// Causal and by blocks of b tokens: a query sees its own block up to itself and the full blocks before it that are
/// selected, these with a log-gate as bias (position 0, inner) or with the gate as a factor of their values (1, outer).
/// `selected` holds numbers of blocks in any order; those that are not of the query's history select nothing.
const Operator& sas_attention();

/// The min(K, C) blocks of a query's history of the highest scores, scale q k with a key a block, of equal scores the
/// earlier one; in ascending order, then -1. The threshold is the K-th highest score, -inf where there are fewer, inf
/// for K = 0. Scores are returned too, -inf for what is no block of the history.
const Operator& sas_select();

/// One query a sequence, behind its last token.
const Operator& softmax_decode();
const Operator& sas_decode();

}  // namespace assay::operators
