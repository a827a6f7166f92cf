#pragma once

#include <cstdint>
#include <utility>

#include "problem/oracle.hpp"

namespace assay::sas {

// sas.select: a query's scores of its history blocks, scale q k, the K highest of them and the K-th largest. The set is
// due of the scores that a kernel returned, exactly; scores and threshold of the inputs too.

/// Scores and threshold (certificate.md, C1). The threshold moves no further than the score that moves most.
References certified_scores(const Case& c);
References scores_by_definition(const Case& c);

/// Of scores and threshold (bounds.md, B1).
Allowances score_allowances(const Case& c, const Contract& contract, const References& truth);

/// Threshold and set, by `top_k`, of the scores that a kernel returned; a NaN comes after every number.
std::pair<References, Allowances> selection_of_scores(const Case& c, const Contract& contract, const Tensors& returned);

Tensors plain_selection(const Case& c, const Contract& contract, std::uint64_t order);
Tensors selection_over_field(const Case& c);

/// The first score that a kernel with this contract rounds; empty: none.
std::string rounding_of_scores(const Case& c, const Contract& contract);

}  // namespace assay::sas
