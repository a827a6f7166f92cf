#pragma once

#include "problem/oracle.hpp"

namespace assay::sas {

/// o and L of every operator of softmax attention in double-double (certificate.md).
References certified_attention(const Case& c);

}  // namespace assay::sas
