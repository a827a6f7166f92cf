#pragma once

#include "problem/oracle.hpp"

namespace assay::sfda {

/// Sets the radius of every output that is 0 whatever the sizes of its case's numbers are, because no term of it meets
/// two numbers other than 0, to 0: certificates know the sizes of sums, not that all their terms are 0.
void certify_zeros(const Case& c, References& values);

}  // namespace assay::sfda
