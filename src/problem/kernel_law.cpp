#include "problem/kernel_law.hpp"

namespace assay {

Outcome try_law(const KernelLaw& law, const KernelTrial& trial) {
  if (!law.covers(trial.kernel)) return Outcome::rejected("the law does not cover the kernel");
  if (!law.covers_case(trial.input)) return Outcome::rejected("the law does not cover the case");
  try {
    return law.check(trial);
  } catch (const KernelError& error) {
    return Outcome::fails(error.what());
  }
}

}  // namespace assay
