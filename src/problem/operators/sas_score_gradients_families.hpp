#pragma once

#include <span>

#include "problem/families.hpp"

namespace assay::operators {

/// The families of sas.score_gradients, the plainest first.
std::span<const Family> sas_score_gradients_families();

}  // namespace assay::operators
