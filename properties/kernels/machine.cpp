#include <fmt/format.h>

#include "judge/mismatch.hpp"
#include "judge/verdict.hpp"
#include "problem/transforms.hpp"
#include "properties/kernels/laws.hpp"
#include "properties/kernels/outputs.hpp"
#include "properties/same.hpp"
#include "run/truth.hpp"

namespace assay {
namespace {

constexpr std::uint32_t nan_words = 0xffffffffu;
constexpr std::uint32_t huge_words = 0x7e967699u;  // 1e38 in f32: unlike a NaN it survives a maximum

bool repeats(const Kernel& kernel) { return kernel.contract.repeats != Repeats::never; }

/// Mutants have no instrumented build.
bool is_instrumented(const Kernel& kernel) { return kernel.mutant.empty(); }

/// A random order of threads and blocks, by `seed`, stays within the bound.
Outcome within_bound(const KernelTrial& trial, std::uint64_t seed) {
  const auto [want, allowed] = truth_for(trial.input, trial.kernel, trial.oracle);
  const Judgement judgement = judge(outputs_of(trial, trial.input, {.schedule = seed}), want, allowed);
  if (judgement.verdict != Verdict::fail) return Outcome::holds();
  return Outcome::fails(
      mismatch_text(trial.input, {.kernel = trial.kernel.name, .text = fmt::format("schedule {}", seed)}, judgement));
}

Outcome same_as_plain(std::string_view what, const KernelTrial& trial, std::initializer_list<Execution> executions) {
  const Tensors plain = outputs_of(trial, trial.input);
  FirstFailure found;
  for (const Execution& execution : executions)
    found.note(same_bits(what, trial.input, outputs_of(trial, trial.input, execution), plain));
  return found.outcome();
}

Outcome poisons(const KernelTrial& trial) {
  return same_as_plain("memory filled with another word", trial, {{.poison = nan_words}, {.poison = huge_words}});
}

Outcome schedules(const KernelTrial& trial) {
  const auto seed = [&] { return 1 + trial.draw.below(1u << 30); };
  if (!repeats(trial.kernel) && trial.input.standard == Standard::laws) return Outcome::rejected("no values are due");
  if (!repeats(trial.kernel) && trial.input.standard == Standard::bound) return within_bound(trial, seed());
  return same_as_plain("a random schedule", trial, {{.schedule = seed()}, {.schedule = seed()}});
}

Outcome repeated(const KernelTrial& trial) {
  return same_as_plain("another run", trial, {{}, {.workers = 2}, {.workers = 2}});
}

/// From the state that the case ends with.
Outcome in_place(const KernelTrial& trial) {
  const Case c = resumed(trial.input, outputs_of(trial, trial.input));
  return same_bits("final states over initial ones", c, outputs_of(trial, c, {.in_place = true}), outputs_of(trial, c));
}

Outcome checked(const KernelTrial& trial) {
  return same_as_plain("the instrumented build", trial, {{.machine = Execution::Machine::checked}});
}

}  // namespace

std::vector<KernelLaw> kernels_machine_laws() {
  return {
      {.name = "kernel.unwritten_memory_is_never_read",
       .statement = "outputs have the same bits whatever fills shared memory, outputs and pads before",
       .check = poisons},
      {.name = "kernel.schedules_do_not_change_bits",
       .statement = "threads and blocks in random order give the same bits; where a contract lets bits depend on the "
                    "order, exact cases do, and others stay within their bound",
       .check = schedules},
      {.name = "kernel.repeats_give_the_same_bits",
       .statement = "another run gives the same bits, by one worker and by two",
       .covers = repeats,
       .check = repeated},
      {.name = "kernel.final_states_may_overwrite_initial_ones",
       .statement = "where a kernel takes one array for both, the bits are those of two",
       .covers = [](const Kernel& kernel) { return kernel.limits.in_place; },
       .check = in_place},
      {.name = "kernel.checker_finds_nothing",
       .statement = "no race, no uninitialised read, no access out of bounds; the instrumented build has the same bits",
       .covers = is_instrumented,
       .check = checked}};
}

}  // namespace assay
