#include <cstring>

#include <fmt/format.h>

#include "properties/simt/kernels/run.hpp"
#include "properties/simt/laws.hpp"
#include "simt/options.hpp"

namespace assay {
namespace {

using simt_laws::Run;

std::vector<float> outputs_of(const Run& run, const simt::Options& options) {
  const simt::Session session(options);
  return run.outputs();
}

Outcome same_bits(const std::vector<float>& want, const std::vector<float>& got, const std::string& mode) {
  for (std::size_t i = 0; i < want.size(); ++i)
    if (std::memcmp(&want[i], &got[i], sizeof(float)) != 0)
      return Outcome::fails(fmt::format("{}: output {} is {:a}, was {:a}", mode, i, got[i], want[i]));
  return Outcome::holds();
}

/// Runs the kernel twice, once in the plain mode.
using Mode = Outcome (*)(const Run& run, Draw& draw);

Outcome with_workers(const Run& run, Draw& draw) {
  const auto workers = static_cast<unsigned>(draw.size("workers", 1, 5));
  return same_bits(outputs_of(run, {.workers = 1}), outputs_of(run, {.workers = workers}),
                   fmt::format("{} workers", workers));
}

Outcome with_schedule(const Run& run, Draw& draw) {
  const std::uint64_t seed = draw.bits() | 1;
  return same_bits(outputs_of(run, {}), outputs_of(run, {.schedule_seed = seed}), fmt::format("schedule {}", seed));
}

Outcome with_poison(const Run& run, Draw& draw) {
  const auto poison = static_cast<std::uint32_t>(draw.bits());
  const Outcome outcome = same_bits(outputs_of(run, {.poison = simt::poison_a}),
                                    outputs_of(run, {.poison = simt::poison_b}), "the other poison");
  return outcome.kind != Outcome::Kind::holds
             ? outcome
             : same_bits(outputs_of(run, {}), outputs_of(run, {.poison = poison}), fmt::format("poison {:#x}", poison));
}

Outcome with_checker(const Run& run, Draw& draw) {
  const std::uint64_t seed = draw.size("random_schedule", 0, 1) == 0 ? 0 : draw.bits() | 1;
  for (const Run& checked : simt_laws::checked::correct_runs())
    if (checked.name == run.name)
      return same_bits(outputs_of(run, {}), outputs_of(checked, {.schedule_seed = seed, .check = true}),
                       fmt::format("checked, schedule {}", seed));
  return Outcome::fails("no checked build");
}

/// The law for every kernel.
Law over_kernels(std::string_view name, std::string_view statement, Mode mode) {
  Law law = {.name = name, .statement = statement, .source = {}, .trials = 20, .checks = {}};
  for (const Run& run : simt_laws::host::correct_runs())
    law.checks.push_back({.arithmetic = run.name, .run = [&run, mode](Draw& draw) { return mode(run, draw); }});
  return law;
}

}  // namespace

std::vector<Law> simt_modes_laws() {
  return {
      over_kernels("simt.bits_do_not_depend_on_the_number_of_workers",
                   "the blocks of a launch may run on any number of OS threads", with_workers),
      over_kernels("simt.bits_of_sound_kernels_do_not_depend_on_the_schedule",
                   "threads and blocks may take turns in any order that barriers allow", with_schedule),
      over_kernels("simt.bits_of_sound_kernels_do_not_depend_on_the_poison",
                   "memory that nobody has written does not reach the outputs", with_poison),
      over_kernels("simt.shadow_checker_reports_nothing_in_sound_kernels",
                   "the checked build gives the bits of the plain one, without a report", with_checker),
  };
}

}  // namespace assay
