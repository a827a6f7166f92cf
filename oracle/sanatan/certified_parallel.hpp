#pragma once

#include "problem/oracle.hpp"

namespace assay::sanatan {

/// o of one sequence and head by the causal double sum with power p, four channels clipped (certificate.md C4).
void certify_parallel(const Case& c, std::int64_t n, std::int64_t h, References& out);

}  // namespace assay::sanatan
