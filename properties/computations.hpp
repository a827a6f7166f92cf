#pragma once

#include <span>

#include "problem/computation.hpp"

namespace assay {

/// Every computation that a claim may name.
std::span<const Computation> computation_table();

}  // namespace assay
