#pragma once

#include "problem/kernel.hpp"
#include "problem/oracle.hpp"

namespace assay {

/// A kernel's outputs beside the truth and what they may be wrong by, for every output that the kernel returns.
struct Comparison {
  Run run;
  References want;
  Allowances allowed;
};

/// Runs the kernel once. Throws KernelError where the machine found a broken rule.
Comparison compare(const Case& c, const Kernel& kernel, const Oracle& oracle, const Execution& execution = {});

}  // namespace assay
