#pragma once

#include <span>

#include "problem/families.hpp"

namespace assay::operators {

/// The families of sas.select, the plainest first.
std::span<const Family> sas_select_families();

}  // namespace assay::operators
