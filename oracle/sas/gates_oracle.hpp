#pragma once

#include <cstdint>

#include "problem/oracle.hpp"

namespace assay::sas {

// sas.gates: log-gates of a query's history and the LSE of its scores, by gates.hpp. A score of -inf has no power: no
// gate, and a history without any has none and L = -inf.

/// Certified (certificate.md, C9).
References certified_gates(const Case& c);
References gates_by_definition(const Case& c);

/// Of log-gates and L (bounds.md, H1); every rounding at its worst, in P too.
Allowances gates_bound(const Case& c, const Contract& contract, const References& truth);

Tensors plain_gates(const Case& c, const Contract& contract, std::uint64_t order);
Tensors gates_over_field(const Case& c);

/// The first number that a kernel with this contract rounds; empty: none.
std::string rounding_of_gates(const Case& c, const Contract& contract);

}  // namespace assay::sas
