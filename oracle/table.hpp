#pragma once

#include <span>

#include "problem/oracle.hpp"

namespace assay {

/// The oracle of every operator.
std::span<const Oracle> oracle_table();

}  // namespace assay
