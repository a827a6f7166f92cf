#pragma once

#include "arith/double_double.hpp"
#include "oracle/certified_value.hpp"

namespace assay {

/// N / (D + eps_raw), sanatan/certificate.md C3; radius infinite where D + eps_raw < 2 |δD|. eps_raw is exact to 4u² of
/// itself.
CertifiedValue quotient(const CertifiedValue& N, const CertifiedValue& D, DoubleDouble eps_raw);

}  // namespace assay
