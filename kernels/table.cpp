#include "kernels/table.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "kernels/builds.hpp"
#include "kernels/device/builds.hpp"
#include "kernels/ill_conditioned.hpp"
#include "kernels/mutant_builds.hpp"
#include "kernels/runner.hpp"
#include "problem/turn.hpp"
#include "simt/device/description.hpp"

namespace assay {
namespace {

/// A kernel's builds, by machine.
struct Builds {
  Build host;
  Build checked;
  std::optional<Build> device;
};

std::vector<Builds> all_builds() {
  const std::vector<Build> host = kernels::host::all_builds(), checked = kernels::checked::all_builds(),
                           device = device_builds();
  std::vector<Builds> all;
  for (std::size_t i = 0; i < host.size(); ++i) all.push_back({host[i], checked[i], find_build(device, host[i].name)});
  return all;
}

Run run_on_machine(const Builds& builds, const Case& c, const Execution& execution) {
  switch (execution.machine) {
    case Execution::Machine::host:
      return run_build(builds.host, simt::Machine::host, c, execution);
    case Execution::Machine::checked:
      return run_build(builds.checked, simt::Machine::host, c, execution);
    case Execution::Machine::device:
      break;
  }
  if (!builds.device) throw KernelError(fmt::format("{}: no device build in this program", builds.host.name));
  simt::start_device();
  const Turn turn;  // two processes at one GPU are several times slower than one after the other
  return run_build(*builds.device, simt::Machine::device, c, execution);
}

Kernel kernel_of(const Builds& builds) {
  const Build& b = builds.host;
  Contract contract = b.contract;
  contract.ill_conditioned = ill_conditioned_families(*b.op, contract);
  return {.name = b.name,
          .op = b.op,
          .contract = contract,
          .limits = b.limits,
          .mutant = "",
          .over_fields = b.over_gf61 != nullptr,
          .run = [builds](const Case& c, const Execution& execution) { return run_on_machine(builds, c, execution); }};
}

Mutant mutant_of(const MutantBuild& m, const std::vector<MutantDeviceBuild>& device) {
  Mutant mutant{m.name, m.base, m.kind, m.family, m.sentence, m.reference, !m.build.has_value()};
  if (mutant.stale) return mutant;
  const auto it = std::ranges::find(device, m.name, &MutantDeviceBuild::name);
  // Mutants have no instrumented build: the checker's own faults are planted in properties/simt.
  mutant.kernel =
      kernel_of({.host = *m.build, .checked = *m.build, .device = it == device.end() ? std::nullopt : it->build});
  mutant.kernel.mutant = m.name;
  return mutant;
}

Kernel on_device(Kernel kernel) {
  kernel.run = [run = kernel.run](const Case& c, Execution execution) {
    if (!is_field(c.element)) {
      execution.machine = Execution::Machine::device;
      execution.schedule = 0;
    }
    return run(c, execution);
  };
  return kernel;
}

}  // namespace

std::span<const Kernel> kernel_table() {
  static const std::vector<Kernel> kernels = [] {
    std::vector<Kernel> all;
    for (const Builds& builds : all_builds()) all.push_back(kernel_of(builds));
    return all;
  }();
  return kernels;
}

std::span<const Mutant> mutant_table() {
  static const std::vector<Mutant> mutants = [] {
    const std::vector<MutantDeviceBuild> device = mutant_device_builds();
    std::vector<Mutant> all;
    for (const MutantBuild& m : mutant_builds()) all.push_back(mutant_of(m, device));
    return all;
  }();
  return mutants;
}

std::span<const Kernel> device_kernel_table() {
  static const std::vector<Kernel> kernels = [] {
    const std::vector<Build> built = device_builds();
    std::vector<Kernel> all;
    for (const Kernel& kernel : kernel_table())
      if (find_build(built, kernel.name)) all.push_back(on_device(kernel));
    return all;
  }();
  return kernels;
}

std::span<const Mutant> device_mutant_table() {
  static const std::vector<Mutant> mutants = [] {
    const std::vector<MutantDeviceBuild> built = mutant_device_builds();
    std::vector<Mutant> all;
    for (Mutant mutant : mutant_table()) {
      if (std::ranges::find(built, mutant.name, &MutantDeviceBuild::name) == built.end()) continue;
      mutant.kernel = on_device(mutant.kernel);
      all.push_back(std::move(mutant));
    }
    return all;
  }();
  return mutants;
}

}  // namespace assay
