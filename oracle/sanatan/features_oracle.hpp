#pragma once

#include "problem/oracle.hpp"

namespace assay::sanatan {

/// Outputs theta, r and phi of sanatan.features with a certified radius (certificate.md C1).
References certified_encoding(const Case& c);

/// What a kernel of sanatan.features may be wrong by (bounds.md B1): every rounding at its worst, D = P.
Allowances encoding_bound(const Case& c, const Contract& contract, const References& truth);

}  // namespace assay::sanatan
