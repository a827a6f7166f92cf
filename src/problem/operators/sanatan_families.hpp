#pragma once

#include <span>

#include "problem/families.hpp"

namespace assay::operators {

/// The families of sanatan.features, sanatan.attention and sanatan.feature_attention.
std::span<const Family> sanatan_families(const Operator& op);

}  // namespace assay::operators
