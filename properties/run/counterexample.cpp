#include "run/counterexample.hpp"

#include <algorithm>
#include <csignal>

#include <fmt/format.h>

#include "kernels/table.hpp"
#include "oracle/table.hpp"
#include "problem/case_mix.hpp"
#include "problem/exchange.hpp"
#include "properties/enumerated.hpp"
#include "properties/run/laws.hpp"
#include "properties/same.hpp"
#include "properties/temporary_folder.hpp"
#include "run/campaign.hpp"
#include "run/replay.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

Tables tables() { return {.kernels = kernel_table(), .oracles = oracle_table()}; }

const Kernel& kernel_named(std::string_view name) { return *std::ranges::find(kernel_table(), name, &Kernel::name); }

const Mutant& mutant_named(std::string_view name) { return *std::ranges::find(mutant_table(), name, &Mutant::name); }

/// What a campaign of one kernel tells, with folders in `folder`.
std::string told_by(const Kernel& kernel, const std::string& family, std::uint64_t cases, const fs::path& folder) {
  const Campaign campaign{
      .kernels = {&kernel}, .family = family, .cases = cases, .seed = 1, .processes = 1, .counterexamples = folder};
  std::string told;
  run_campaign(campaign, tables(), [&](std::size_t, std::size_t, const std::string& text) { told += text; });
  return told;
}

Json replayed(const fs::path& folder, const StoredCase& stored, const Kernel& kernel) {
  return replay(stored, folder.string(), {&kernel}, nullptr, tables(), [](const std::string&) {})["summary"];
}

/// Every folder is named in what is told, is no larger than what was found, fails on the mutant and passes on its base.
Outcome kept(const char* name, const std::string& family) {
  const TemporaryFolder folder;
  const Mutant& mutant = mutant_named(name);
  const std::string told = told_by(mutant.kernel, family, 4, folder.path());
  FirstFailure found;
  found.note(holds_if(folder.entries() > 0, fmt::format("{}: nothing was kept", name)));
  for (const auto& entry : fs::directory_iterator(folder.path())) {
    const fs::path& path = entry.path();
    const StoredCase stored = read_case(path);
    const Case first = make_case(mutant.kernel, family_named(*mutant.kernel.op, family), stored.c.seed);
    found.note(holds_if(told.find(path.string()) != std::string::npos, path.string() + " is not told"));
    found.note(holds_if(work_of(stored.c, Algorithm::scan) <= work_of(first, Algorithm::scan), "the case has grown"));
    found.note(same("fails of the mutant", replayed(path, stored, mutant.kernel)["fail"].dump(), std::string("1")));
    found.note(
        same("fails of its base", replayed(path, stored, kernel_named(mutant.base))["fail"].dump(), std::string("0")));
  }
  return found.outcome();
}

/// The bits of a stored case replay: got/ holds what the kernel returns now.
Outcome same_outputs() {
  const TemporaryFolder folder;
  const Mutant& mutant = mutant_named("stale_z");
  told_by(mutant.kernel, "circle", 1, folder.path());
  FirstFailure found;
  for (const auto& entry : fs::directory_iterator(folder.path())) {
    const StoredCase stored = read_case(entry.path());
    for (const auto& [name, tensor] : mutant.kernel.run(stored.c, {}).outputs)
      found.note(holds_if(read_npy(entry.path() / "got" / (name + ".npy"), tensor.format(), tensor.shape()) == tensor,
                          name + " has other bits"));
  }
  return found.outcome();
}

Outcome crash_kept() {
  const TemporaryFolder folder;
  Kernel kernel = kernel_named("sanatan.feature_attention/scan.f32");
  kernel.run = [](const Case&, const Execution&) -> Run {
    std::raise(SIGKILL);
    return {};
  };
  const std::string told = told_by(kernel, "circle", 1, folder.path());
  return all_of({same("folders", folder.entries(), std::size_t{1}),
                 holds_if(told.find("crashed") != std::string::npos, "no crash is told:\n" + told),
                 holds_if(told.find("assay replay") != std::string::npos, "no folder is told:\n" + told)});
}

/// A place that takes no folders costs the folder alone.
Outcome no_place() {
  const std::string told = told_by(mutant_named("stale_z").kernel, "circle", 1, "/proc/assay");
  return all_of({holds_if(told.find("no case folder") != std::string::npos, "nothing is told:\n" + told),
                 holds_if(told.find("assay verify --mutant stale_z") != std::string::npos, "no command:\n" + told)});
}

}  // namespace

std::vector<Law> run_counterexample_laws() {
  return {enumerated("run.failures_are_kept_and_replay",
                     "each in a folder that is told, simpler than it was, and fails again; the base passes there", "",
                     "folders",
                     [] {
                       return all_of({kept("stale_z", "circle"), kept("tail_of_the_next_sequence", "field"),
                                      kept("tf32_for_f32", "exact_full")});
                     }),
          enumerated("run.kept_outputs_are_the_kernels", "bit for bit", "", "folders", same_outputs),
          enumerated("run.a_crash_is_kept_as_found", "with its folder", "", "folders", crash_kept),
          enumerated("run.a_failure_without_a_folder_is_told", "with the seed's command", "", "folders", no_place)};
}

}  // namespace assay
