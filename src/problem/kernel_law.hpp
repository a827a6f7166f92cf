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
};

/// A statement about every kernel, tried on cases of every family it covers.
struct KernelLaw {
  std::string_view name;  ///< "kernel.future_does_not_change_the_past"; its ctest name has "/<kernel>" appended
  std::string_view statement;
  std::function<bool(const Kernel&)> covers;
  std::function<bool(const Case&)> covers_case;
  std::function<Outcome(const KernelTrial&)> check;
};

}  // namespace assay
