#pragma once

#include <functional>
#include <string_view>

#include "problem/kernel.hpp"
#include "problem/law.hpp"
#include "problem/oracle.hpp"

namespace assay {

/// One trial of a law over the table of kernels.
struct KernelTrial {
  const Kernel& kernel;
  const Oracle& oracle;
  const Case& input;
  Draw& draw;
  const Tensors* outputs = nullptr;  ///< what a plain run returns for the input; null or empty: not known
};

/// A statement about every kernel, tried on cases of every family it covers.
struct KernelLaw {
  std::string_view name;  ///< "kernel.future_does_not_change_the_past"; its ctest name has "/<kernel>" appended
  std::string_view statement;
  std::function<bool(const Kernel&)> covers = [](const Kernel&) { return true; };
  std::function<bool(const Case&)> covers_case = [](const Case&) { return true; };
  std::function<Outcome(const KernelTrial&)> check;
  bool is_judgement = false;  ///< the check is the judgement that a campaign passes on every case anyway
  bool of_contract = false;   ///< a statement about the kernel whatever the case: one trial is all
};

/// One trial. Fails where the kernel breaks a rule of its machine; is rejected where the law does not cover the case.
Outcome try_law(const KernelLaw& law, const KernelTrial& trial);

}  // namespace assay
