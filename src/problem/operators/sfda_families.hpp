#pragma once

#include <span>

#include "problem/families.hpp"

namespace assay::operators {

/// The families of the operators of the delta rule, the plainest first.
std::span<const Family> sfda_families(const Operator& op);

}  // namespace assay::operators
