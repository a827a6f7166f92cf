#pragma once

#include <span>

#include "problem/families.hpp"

namespace assay::operators {

/// The families of sas.gates, the plainest first.
std::span<const Family> sas_gates_families();

}  // namespace assay::operators
