#pragma once

#include <span>

#include "problem/families.hpp"

namespace assay::operators {

/// The families of sanatan.features, sanatan.attention and sanatan.feature_attention.
std::span<const Family> sanatan_families(const Operator& op);

/// Of each of them, the plainest first.
std::span<const Family> sanatan_features_families();
std::span<const Family> sanatan_attention_families();
std::span<const Family> sanatan_feature_attention_families();

}  // namespace assay::operators
