#pragma once

#include <functional>
#include <vector>

#include "problem/oracle.hpp"

namespace assay {

/// |error| / |o| and bound / |o| of elements, |o| the root mean square of the element's row.
struct RelativeErrors {
  std::vector<double> errors, bounds;
};

/// Of the rows for which `counted` says so, by their number. Left out are elements that the operator does not
/// determine, and those of rows that are zero, unless they are wrong: their error is then infinite.
RelativeErrors relative_errors(const Tensor& got, const Reference& want, const Allowance& allowed,
                               const std::function<bool(std::size_t row)>& counted);

}  // namespace assay
