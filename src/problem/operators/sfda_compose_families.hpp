#pragma once

#include <span>

#include "problem/families.hpp"

namespace assay::operators {

/// The families of sfda.compose, the plainest first.
std::span<const Family> sfda_compose_families();

}  // namespace assay::operators
