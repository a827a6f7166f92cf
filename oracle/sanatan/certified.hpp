#pragma once

#include "oracle/sanatan/head.hpp"
#include "problem/oracle.hpp"

namespace assay::sanatan {

/// Outputs of sanatan.attention and sanatan.feature_attention in double-double with a certified radius
/// (certificate.md); on exact inputs radius 0.
References certified_attention(const Case& c);

}  // namespace assay::sanatan
