#pragma once

#include <vector>

namespace assay {

/// The value at place floor(q (n - 1)) in order, 0 of none. Reorders the values.
double quantile(std::vector<double>& values, double q);

}  // namespace assay
