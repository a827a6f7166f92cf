#pragma once

#include <vector>

#include "problem/oracle.hpp"

namespace assay {

/// What is not seen: P / root mean square of the row, for every determined element of a row that is not all 0.
std::vector<double> detectable_faults(const Reference& want, const Allowance& allowed);

}  // namespace assay
