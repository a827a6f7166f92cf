#include <algorithm>

#include "problem/transforms.hpp"
#include "properties/kernels/laws.hpp"
#include "properties/kernels/outputs.hpp"

namespace assay {
namespace {

bool takes_options(const Kernel& kernel) {
  return std::ranges::any_of(kernel.op->tensors, [&](const TensorSpec& spec) {
    return spec.role == Role::position || (spec.role == Role::initial_state && kernel.limits.initial_state);
  });
}

Outcome neutral(const KernelTrial& trial) {
  const Case& c = trial.input;
  const Case given = with_neutral_options(c, trial.kernel.limits);
  if (!trial.kernel.refusal(given).empty()) return Outcome::rejected(trial.kernel.refusal(given));
  if (given.inputs.size() == c.inputs.size()) return Outcome::rejected("the case has every option");
  return same_bits("zeros for what was left out", c, outputs_of(trial, given), outputs_of(trial, c));
}

}  // namespace

std::vector<KernelLaw> kernels_options_laws() {
  return {{.name = "kernel.absent_options_equal_neutral_ones",
           .statement = "no initial state is a state of zeros, no position is position 0, bit for bit",
           .covers = takes_options,
           .check = neutral}};
}

}  // namespace assay
