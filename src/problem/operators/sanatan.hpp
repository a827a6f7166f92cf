#pragma once

#include "problem/operator.hpp"

namespace assay::operators {

/// theta r phi of each token: squash, label before rotation, rotate by t * lambda, c channels.
const Operator& sanatan_features();

/// Causal attention with the angular kernel, from q k v; (S, z) where p = 1 and the total is not clipped, and then on
/// request N = sum s v and D = sum s, of which o is the quotient N / (D + c eps).
const Operator& sanatan_attention();

/// The same from given features: no elementary function, so exact inputs exist and every field will do.
const Operator& sanatan_feature_attention();

}  // namespace assay::operators
