#pragma once

#include <span>

#include "problem/kernel.hpp"
#include "problem/mutant.hpp"

namespace assay {

/// Every kernel, by operator and algorithm.
std::span<const Kernel> kernel_table();

/// Every kernel with a planted fault.
std::span<const Mutant> mutant_table();

}  // namespace assay
