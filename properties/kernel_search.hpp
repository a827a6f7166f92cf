#pragma once

#include <cstdint>
#include <span>

#include "problem/kernel_law.hpp"
#include "run/law_result.hpp"

namespace assay {

/// How much of a law is tried with one kernel.
struct KernelTrials {
  std::uint32_t trials = 1;     ///< that count
  std::size_t largest_bin = 0;  ///< of work: cases that take more are passed over
};

/// Tries a law on cases of the kernel's families, each family in turn, until `trials` of them count or every family was
/// met four times. Everything follows from the seed, and a failing case from the seed that the text gives.
LawResult search(const KernelLaw& law, const Kernel& kernel, std::span<const Oracle> oracles, std::uint64_t seed,
                 const KernelTrials& wanted);

}  // namespace assay
