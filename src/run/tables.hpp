#pragma once

#include <span>

#include "problem/computation.hpp"
#include "problem/kernel.hpp"
#include "problem/kernel_law.hpp"
#include "problem/law.hpp"
#include "problem/mutant.hpp"
#include "problem/oracle.hpp"
#include "run/law_result.hpp"

namespace assay {

/// Everything that a command works on. Filled once, by the program.
struct Tables {
  std::span<const Kernel> kernels;
  std::span<const Mutant> mutants;
  std::span<const Oracle> oracles;
  std::span<const Law> laws;
  std::span<const KernelLaw> kernel_laws;
  std::span<const Computation> computations;
  std::function<LawResult(const Law&, std::uint64_t seed)> try_law;  ///< a full run of one law
};

/// The oracle of an operator. Throws std::logic_error if there is none.
const Oracle& oracle_of(const Tables& tables, const Operator& op);

}  // namespace assay
