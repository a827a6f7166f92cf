#include "run/evaluate.hpp"

#include <fmt/format.h>

#include "judge/trivial_outputs.hpp"
#include "run/digest.hpp"

namespace assay {
namespace {

constexpr std::uint32_t poison_nan = 0xffffffffu;
constexpr std::uint32_t poison_huge = 0x7e967699u;  // 1e38 in f32: unlike a NaN it survives a maximum

void fail(Evaluation& e, Rule rule, std::string text) {
  e.judgement.verdict = Verdict::fail;
  e.judgement.rule = rule;
  e.text = std::move(text);
}

/// An oracle gives every output of its operator; a kernel may have no final state.
void leave_out_what_is_not_returned(auto& outputs, const Kernel& kernel) {
  std::erase_if(outputs, [&](const auto& output) { return !kernel.limits.returns(*kernel.op->find(output.first)); });
}

/// Runs the kernel once more and demands the bits of the first run.
void demand_same_bits(Evaluation& e, const Kernel& kernel, const Run& first, const Execution& execution,
                      Rule broken) {
  const Run again = kernel.run(e.input, execution);
  ++e.executions;
  e.multiply_adds += again.multiply_adds;
  if (!same_bits(first.outputs, again.outputs)) 
    fail(e, broken, fmt::format("the bits changed (schedule {}, poison {:#x})", execution.schedule, execution.poison));
}

void run_all(Evaluation& e, const Kernel& kernel, const Oracle& oracle, const Scrutiny& scrutiny) {
  const Run run = kernel.run(e.input, {.poison = poison_nan});
  e.executions = 1;
  e.multiply_adds = run.multiply_adds;
  e.digest = digest(run.outputs);
  References want = oracle.evaluate(e.input);
  const Allowances allowed = oracle.bound(e.input, kernel.contract, want);
  leave_out_what_is_not_returned(want, kernel);
  e.judgement = judge(run.outputs, want, allowed);
  judge_trivial_outputs(e.judgement, want, allowed, float_format(kernel.contract.output).unit_roundoff());
  if (e.judgement.verdict == Verdict::fail || kernel.contract.repeats == Repeats::never) return;
  demand_same_bits(e, kernel, run, {.poison = poison_huge}, Rule::depends_on_unwritten_memory);
  if (scrutiny.schedule != 0)
    demand_same_bits(e, kernel, run, {.schedule = scrutiny.schedule, .poison = poison_nan},
                     Rule::depends_on_schedule);
  if (scrutiny.checked)
    demand_same_bits(e, kernel, run, {.machine = Execution::Machine::checked, .poison = poison_nan},
                     Rule::depends_on_build);
}

}  // namespace

Evaluation evaluate(const Case& c, const Kernel& kernel, const Oracle& oracle, const Scrutiny& scrutiny) {
  Evaluation e{.kernel = kernel.name, .mutant = kernel.mutant, .input = c};
  try {
    run_all(e, kernel, oracle, scrutiny);
  } catch (const KernelError& error) {
    fail(e, Rule::breaks_machine_rule, error.what());
  }
  return e;
}

Evaluation evaluate_over_field(const Case& c, const Kernel& kernel, const Oracle& oracle) {
  Evaluation e{.kernel = kernel.name, .mutant = kernel.mutant, .input = c};
  try {
    const Run run = kernel.run(c, {});
    e.executions = 1;
    e.multiply_adds = run.multiply_adds;
    e.digest = digest(run.outputs);
    Tensors want = oracle.over_field(c);
    leave_out_what_is_not_returned(want, kernel);
    for (const auto& [name, tensor] : want)
      if (run.outputs.at(name) != tensor)
        fail(e, Rule::differs_from_definition_over_field, fmt::format("output {} over {}", name, name_of(c.element)));
  } catch (const KernelError& error) {
    fail(e, Rule::breaks_machine_rule, error.what());
  }
  return e;
}

}  // namespace assay
