#pragma once

#include <optional>
#include <string>

#include "judge/roundings.hpp"
#include "judge/tolerances.hpp"
#include "judge/verdict.hpp"
#include "problem/kernel.hpp"
#include "problem/oracle.hpp"

namespace assay {

/// One case, all the way: what a record's `results[]` is made of.
struct Evaluation {
  std::string kernel;
  std::string mutant;  ///< the planted fault, if there is one
  Case input;
  Tensors outputs;  ///< of the first run; without sums
  Judgement judgement;
  RoundingSamples roundings;
  std::optional<Tolerances> tolerances;  ///< where they were asked for and values were judged
  std::string text;                      ///< what no number can say: the machine's message, the run whose bits changed
  std::uint64_t digest = 0;              ///< of all outputs, NaNs made equal
  std::uint64_t multiply_adds = 0;       ///< the work of the case by the kernel's algorithm, once an execution
  int executions = 0;
};

/// Which extra runs a case gets; the ratios of a campaign decide (NUMERICS 9).
struct Scrutiny {
  std::uint64_t schedule = 0;  ///< a random schedule with this seed; 0: none
  bool checked = false;        ///< the shadow checker
  bool compared = false;       ///< R2: beside 8 runs of the plain implementation
  bool tolerances = false;     ///< what usual tolerances say
  bool one_run = false;        ///< no other run can be had
};

/// Runs the kernel with two poisons, the second time by the schedule asked for unless the contract lets bits depend on
/// it (the bits must agree), checked if asked for, and holds its outputs against the case's standard; where the oracle
/// has values, trivial outputs are judged too.
Evaluation evaluate(const Case& c, const Kernel& kernel, const Oracle& oracle, const Scrutiny& scrutiny);

}  // namespace assay
