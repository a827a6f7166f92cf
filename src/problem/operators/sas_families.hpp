#pragma once

#include <span>

#include "problem/families.hpp"

namespace assay::operators {

/// The families of softmax attention, dense or by blocks, of every token or of one a sequence; the plainest first.
std::span<const Family> sas_families(const Operator& op);

}  // namespace assay::operators
