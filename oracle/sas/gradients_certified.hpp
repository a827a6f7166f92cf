#pragma once

#include "problem/oracle.hpp"

namespace assay::sas {

/// Gradients of every operator of softmax attention in double-double (certificate.md).
References certified_gradients(const Case& c);

}  // namespace assay::sas
