#include "oracle/sas/end_to_end.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "judge/mismatch.hpp"
#include "judge/verdict.hpp"
#include "kernels/table.hpp"
#include "oracle/sas/attention_bound.hpp"
#include "oracle/sas/certified.hpp"
#include "problem/operators/sas_gradients.hpp"
#include "properties/kernels/laws.hpp"
#include "properties/kernels/outputs.hpp"

namespace assay {
namespace {

/// A kernel of the forward pass with a backward kernel's formats and products, or null.
const Kernel* forward_kernel(const Kernel& backward, const Operator& op) {
  const auto pairs = [&](const Kernel& kernel) {
    return kernel.op == &op && kernel.contract.input == backward.contract.input &&
           kernel.contract.product == backward.contract.product && kernel.contract.output == backward.contract.output;
  };
  const std::span<const Kernel> kernels = kernel_table();
  const auto found = std::ranges::find_if(kernels, pairs);
  return found == kernels.end() ? nullptr : &*found;
}

/// The stored o and L are what a forward kernel returns, and the truth is that of exact attention.
Outcome with_a_stored_forward(const KernelTrial& trial) {
  const Case forward = operators::forward_case(trial.input);
  const Kernel* const kernel = forward_kernel(trial.kernel, *forward.op);
  if (kernel == nullptr) return Outcome::rejected("no forward kernel has these formats and products");
  if (!kernel->refusal(forward).empty()) return Outcome::rejected(kernel->refusal(forward));
  Case stored = trial.input;
  for (auto& [name, tensor] : kernel->run(forward, {}).outputs) stored.inputs.insert_or_assign(name, tensor);
  const References of_forward = sas::certified_attention(forward);
  const References want = sas::end_to_end_gradients(stored, of_forward);
  const Allowances stored_errors = sas::attention_bound(forward, kernel->contract, of_forward);
  const Allowances allowed = sas::end_to_end_bound(stored, trial.kernel.contract, want, stored_errors);
  const Judgement judgement = judge(outputs_of(trial, stored), want, allowed);
  if (judgement.verdict != Verdict::fail) return Outcome::holds();
  return Outcome::fails(
      mismatch_text(stored, {.kernel = trial.kernel.name, .text = "o and L stored by " + kernel->name}, judgement));
}

}  // namespace

std::vector<KernelLaw> kernels_end_to_end_laws() {
  return {{.name = "kernel.gradients_are_within_bound_of_exact_attention",
           .statement =
               "where o and L are stored by a forward kernel of the same formats, gradients are those of exact "
               "attention within the errors of both passes",
           .covers = [](const Kernel& kernel) { return operators::is_backward(*kernel.op); },
           .covers_case = [](const Case& c) { return c.standard == Standard::bound; },
           .check = with_a_stored_forward}};
}

}  // namespace assay
