#pragma once

#include "problem/case.hpp"
#include "problem/operator.hpp"

namespace assay::operators {

/// Gradients of <do, o> in all that softmax.attention takes, with P = e^(scale q k - L) recomputed from the stored L
/// and Delta = <do, o> from the stored o: both are inputs like any other. A row whose L is -inf has no weights. Over a
/// field L stands for e^L, as an output of attention does.
const Operator& softmax_gradients();

/// The same of sas.attention, and in the log-gates of every row, given or not; 0 where a row does not select the block.
const Operator& sas_gradients();

/// Whether an operator's outputs are gradients.
bool is_backward(const Operator& op);

/// Attention on what a backward pass takes, without what its forward pass stored.
Case forward_case(const Case& gradients);

/// Whether an output is the gradient of a key or a value, a sum over the queries from its token on.
bool is_of_later_queries(const Operator& op, const TensorSpec& output);

}  // namespace assay::operators
