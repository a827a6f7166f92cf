#pragma once

#include <span>

#include "problem/kernel.hpp"
#include "problem/mutant.hpp"

namespace assay {

/// Every kernel, by operator and algorithm. An execution names the machine.
std::span<const Kernel> kernel_table();

/// Every kernel with a planted fault.
std::span<const Mutant> mutant_table();

/// The kernels and mutants that the program has device builds of. Runs in floating-point formats are the GPU's,
/// whatever machine and schedule an execution asks for; over fields they are the host's.
std::span<const Kernel> device_kernel_table();
std::span<const Mutant> device_mutant_table();

}  // namespace assay
