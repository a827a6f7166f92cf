#pragma once

#include <cstdint>

#include "problem/oracle.hpp"

namespace assay::sas {

// sas.score_gradients: gradients in the scores of a query's history from stored log-gates, by score_gradients.hpp.

/// Certified (certificate.md, C10).
References certified_score_gradients(const Case& c);
References score_gradients_by_definition(const Case& c);

/// bounds.md, H2; every rounding at its worst, in P too.
Allowances score_gradients_bound(const Case& c, const Contract& contract, const References& truth);

Tensors plain_score_gradients(const Case& c, const Contract& contract, std::uint64_t order);
Tensors score_gradients_over_field(const Case& c);

/// The first number that a kernel with this contract rounds; empty: none.
std::string rounding_of_score_gradients(const Case& c, const Contract& contract);

}  // namespace assay::sas
