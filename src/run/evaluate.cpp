#include "run/evaluate.hpp"

#include <fmt/format.h>

#include "judge/exact.hpp"
#include "judge/relative.hpp"
#include "judge/trivial_outputs.hpp"
#include "problem/case_mix.hpp"
#include "problem/npy.hpp"
#include "record/environment.hpp"
#include "run/digest.hpp"
#include "run/truth.hpp"

namespace assay {
namespace {

constexpr std::uint64_t plain_runs = 8;
constexpr std::uint32_t poison_nan = 0xffffffffu;
constexpr std::uint32_t poison_huge = 0x7e967699u;  // 1e38 in f32: unlike a NaN it survives a maximum

void fail(Evaluation& e, Rule rule, std::string text) {
  e.judgement.verdict = Verdict::fail;
  e.judgement.rule = rule;
  e.text = std::move(text);
}

/// Runs the kernel once more, without sums: whether the bits are those of the first run.
bool repeats(Evaluation& e, const Kernel& kernel, const Execution& execution) {
  ++e.executions;
  return same_bits(e.outputs, kernel.run(e.input, execution).outputs);
}

void fail_repeating(Evaluation& e, Rule broken, const Execution& execution) {
  fail(e, broken, fmt::format("the bits changed (schedule {}, poison {:#x})", execution.schedule, execution.poison));
}

/// Unwritten memory and the order of threads changed at once; where the bits change too, which of them it was.
void demand_same_bits(Evaluation& e, const Kernel& kernel, const Execution& execution) {
  if (repeats(e, kernel, execution)) return;
  const Execution in_order{.poison = execution.poison};
  if (execution.schedule == 0 || !repeats(e, kernel, in_order))
    return fail_repeating(e, Rule::depends_on_unwritten_memory, in_order);
  fail_repeating(e, Rule::depends_on_schedule, execution);
}

/// R2, for a case that passed R1.
void compare_with_plain(Evaluation& e, const Kernel& kernel, const Oracle& oracle, const Tensors& outputs,
                        const References& want, const Allowances& allowed) {
  if (!oracle.plain || e.judgement.verdict != Verdict::pass) return;
  std::vector<Tensors> plain;
  for (std::uint64_t order = 0; order < plain_runs; ++order)
    plain.push_back(oracle.plain(e.input, kernel.contract, e.input.seed + order));
  const std::optional<WorseBlock> block = worse_than_plain(outputs, plain, want, allowed);
  if (!block) return;
  e.text = text(*block, want.at(block->output).shape);
  e.judgement.verdict = Verdict::suspect;
  e.judgement.rule = Rule::worse_than_plain_implementation;
}

/// What a run returned: the sums apart from the outputs, where the kernel returns them.
struct Returned {
  const Tensors& outputs;
  const Tensors& sums;
};

/// N and D against the oracle's, and the output as the quotient of those that were returned: near a zero normaliser
/// they are all that can be judged.
void judge_sums(Evaluation& e, const Kernel& kernel, const Oracle& oracle, const Returned& run, const References& want,
                const Allowances& allowed) {
  if (run.sums.empty()) return;
  e.judgement = with_part(e.judgement, judge(run.sums, want, allowed));
  if (!oracle.quotient || e.input.standard != Standard::bound) return;
  const auto [quotient, last_roundings] = oracle.quotient(e.input, kernel.contract, run.sums);
  e.judgement = with_part(e.judgement, judge(run.outputs, quotient, last_roundings));
}

/// Nodes, and what the last of them gives, each by one step from those that were returned.
void judge_steps(Evaluation& e, const Kernel& kernel, const Oracle& oracle, const Tensors& returned) {
  if (!oracle.steps || !kernel.limits.nodes) return;
  auto [want, allowed] = oracle.steps(e.input, kernel.contract, returned);
  if (e.input.standard == Standard::exact) demand_exactness(returned, want, allowed);
  e.judgement = with_part(e.judgement, judge(returned, want, allowed));
}

/// Whether no kernel with this contract rounds on an exact case: one that was found with another may be too wide.
bool is_exact(Evaluation& e, const Contract& contract, const Oracle& oracle) {
  const std::string rounding =
      oracle.rounding ? oracle.rounding(e.input, contract) : "the operator has no exact families";
  if (rounding.empty()) return true;
  e.judgement.verdict = Verdict::indeterminate;
  e.judgement.rule = Rule::contract_rounds_on_exact_input;
  e.text = rounding;
  return false;
}

/// R1 against the oracle's values, on exact inputs with allowances of 0; then R2 where it is asked for.
void judge_values(Evaluation& e, const Kernel& kernel, const Oracle& oracle, const Returned& run,
                  const Scrutiny& scrutiny) {
  const bool exact = e.input.standard == Standard::exact;
  if (exact && !is_exact(e, kernel.contract, oracle)) return;
  auto [want, allowed] = truth_for(e.input, kernel, oracle, true);
  Tensors all = run.outputs;
  all.insert(run.sums.begin(), run.sums.end());
  if (exact) demand_exactness(all, want, allowed);
  const References sums = taken_sums(want, *e.input.op);
  if (scrutiny.tolerances) e.tolerances = usual_tolerances(run.outputs, want);
  e.judgement = judge(run.outputs, want, allowed);
  e.roundings = rounding_samples(run.outputs, want, allowed);
  judge_trivial_outputs(e.judgement, want, allowed, float_format(kernel.contract.output).unit_roundoff());
  judge_sums(e, kernel, oracle, run, sums, allowed);
  judge_steps(e, kernel, oracle, run.outputs);
  if (scrutiny.compared) compare_with_plain(e, kernel, oracle, run.outputs, want, allowed);
}

void compare_over_field(Evaluation& e, const Kernel& kernel, const Oracle& oracle, const Returned& run) {
  Tensors want = oracle.over_field(e.input);
  keep_what_is_returned(want, kernel, true);
  for (const auto& [name, tensor] : want)
    if ((run.outputs.contains(name) ? run.outputs : run.sums).at(name) != tensor)
      fail(e, Rule::differs_from_definition_over_field,
           fmt::format("output {} over {}", name, name_of(e.input.element)));
}

void hold_against_standard(Evaluation& e, const Kernel& kernel, const Oracle& oracle, const Returned& run,
                           const Scrutiny& scrutiny) {
  switch (e.input.standard) {
    case Standard::bound:
    case Standard::exact:
      return judge_values(e, kernel, oracle, run, scrutiny);
    case Standard::field:
      return compare_over_field(e, kernel, oracle, run);
    case Standard::laws:
      e.judgement.rule = Rule::judged_by_laws_alone;
  }
}

void run_all(Evaluation& e, const Kernel& kernel, const Oracle& oracle, const Scrutiny& scrutiny) {
  e.outputs = kernel.run(e.input, {.poison = poison_nan, .sums = kernel.limits.sums}).outputs;
  const Tensors sums = taken_sums(e.outputs, *e.input.op);
  e.executions = 1;
  e.digest = digest(e.outputs);
  hold_against_standard(e, kernel, oracle, {e.outputs, sums}, scrutiny);
  if (e.judgement.verdict == Verdict::fail || scrutiny.one_run) return;
  const bool any_order = kernel.contract.repeats == Repeats::never;
  // A GPU orders threads anew in every run; the machine on the CPU as it is told.
  if (any_order && names_device()) return;
  demand_same_bits(e, kernel, {.schedule = any_order ? 0 : scrutiny.schedule, .poison = poison_huge});
  // Mutants have no instrumented build.
  const Execution checked{.machine = Execution::Machine::checked, .poison = poison_nan};
  if (scrutiny.checked && kernel.mutant.empty() && !repeats(e, kernel, checked))
    fail_repeating(e, Rule::depends_on_build, checked);
}

}  // namespace

Evaluation evaluate(const Case& c, const Kernel& kernel, const Oracle& oracle, const Scrutiny& scrutiny) {
  Evaluation e{.kernel = kernel.name, .mutant = kernel.mutant, .input = c};
  try {
    run_all(e, kernel, oracle, scrutiny);
  } catch (const KernelError& error) {
    fail(e, Rule::breaks_machine_rule, error.what());
  } catch (const ExchangeError& error) {
    fail(e, Rule::output_is_not_readable, error.what());
  }
  e.multiply_adds = static_cast<std::uint64_t>(e.executions * work_of(c, kernel.contract.algorithm));
  return e;
}

}  // namespace assay
