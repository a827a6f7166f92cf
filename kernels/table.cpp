#include "kernels/table.hpp"

#include <iterator>

#include <fmt/format.h>

#include "kernels/builds.hpp"
#include "kernels/ill_conditioned.hpp"
#include "kernels/mutant_builds.hpp"
#include "kernels/runner.hpp"

namespace assay {
namespace {

/// A kernel's builds for the machines on this host.
struct Builds {
  Build host;
  Build checked;
};

using BuildList = std::vector<Build> (*)();

void append(std::vector<Builds>& all, BuildList host, BuildList checked) {
  const std::vector<Build> on_host = host(), with_checks = checked();
  for (std::size_t i = 0; i < on_host.size(); ++i) all.push_back({on_host[i], with_checks[i]});
}

std::vector<Builds> sanatan_builds() {
  namespace host = kernels::host::sanatan;
  namespace checked = kernels::checked::sanatan;
  std::vector<Builds> all;
  append(all, host::features_builds, checked::features_builds);
  append(all, host::scan_builds, checked::scan_builds);
  append(all, host::chunk_builds, checked::chunk_builds);
  append(all, host::parallel_builds, checked::parallel_builds);
  append(all, host::decode_builds, checked::decode_builds);
  return all;
}

std::vector<Builds> sfda_builds() {
  namespace host = kernels::host::sfda;
  namespace checked = kernels::checked::sfda;
  std::vector<Builds> all;
  append(all, host::scan_builds, checked::scan_builds);
  append(all, host::chunk_wy_builds, checked::chunk_wy_builds);
  append(all, host::decode_builds, checked::decode_builds);
  append(all, host::scan_pairs_builds, checked::scan_pairs_builds);
  append(all, host::compose_in_order_builds, checked::compose_in_order_builds);
  append(all, host::compose_as_tree_builds, checked::compose_as_tree_builds);
  return all;
}

std::vector<Builds> sas_builds() {
  namespace host = kernels::host::sas;
  namespace checked = kernels::checked::sas;
  std::vector<Builds> all;
  append(all, host::tiled_builds, checked::tiled_builds);
  append(all, host::split_kv_builds, checked::split_kv_builds);
  append(all, host::rank_blocks_builds, checked::rank_blocks_builds);
  append(all, host::recompute_builds, checked::recompute_builds);
  append(all, host::recompute_once_builds, checked::recompute_once_builds);
  append(all, host::gates_builds, checked::gates_builds);
  append(all, host::score_gradients_builds, checked::score_gradients_builds);
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
  throw KernelError(fmt::format("{}: no device build in this program", builds.host.name));
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

Mutant mutant_of(const MutantBuild& m) {
  Mutant mutant{m.name, m.base, m.kind, m.family, m.sentence, m.reference, !m.build.has_value()};
  if (mutant.stale) return mutant;
  // Mutants have no instrumented build: the checker's own faults are planted in properties/simt.
  mutant.kernel = kernel_of({.host = *m.build, .checked = *m.build});
  mutant.kernel.mutant = m.name;
  return mutant;
}

}  // namespace

std::span<const Kernel> kernel_table() {
  static const std::vector<Kernel> kernels = [] {
    std::vector<Kernel> all;
    for (const Builds& builds : sanatan_builds()) all.push_back(kernel_of(builds));
    for (const Builds& builds : sfda_builds()) all.push_back(kernel_of(builds));
    for (const Builds& builds : sas_builds()) all.push_back(kernel_of(builds));
    return all;
  }();
  return kernels;
}

std::span<const Mutant> mutant_table() {
  static const std::vector<Mutant> mutants = [] {
    std::vector<Mutant> all;
    for (const MutantBuild& m : mutant_builds()) all.push_back(mutant_of(m));
    return all;
  }();
  return mutants;
}

}  // namespace assay
