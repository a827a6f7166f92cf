#pragma once

#include <span>

#include "problem/kernel_law.hpp"
#include "problem/law.hpp"

namespace assay {

/// Every law on numbers, by name.
std::span<const Law> law_table();

/// Every law over the table of kernels.
std::span<const KernelLaw> kernel_law_table();

}  // namespace assay
