#include "run/counterexample.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "problem/exchange.hpp"
#include "problem/shrink.hpp"
#include "run/result.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

/// "sanatan.attention-scan.f32-peaked-123", or with the name of the mutant; laws apart.
std::string folder_name(const Trial& trial, const std::string& law) {
  const Kernel& kernel = trial.kernel;
  std::string name =
      fmt::format("{}-{}-{}", kernel.mutant.empty() ? kernel.name : kernel.mutant, trial.c.family, trial.c.seed);
  if (!law.empty()) name += "-" + law;
  std::ranges::replace(name, '/', '-');
  return name;
}

std::string command_of(const Trial& trial, const std::string& law) {
  if (!trial.replay.empty()) return trial.replay;
  return verify_command(trial.kernel.name, trial.kernel.mutant, trial.c, law);
}

/// What the kernel returns and what was wanted, as far as the machine gets.
void add_outputs(StoredCase& stored, const Kernel& kernel, const Oracle& oracle) {
  const Standard standard = stored.c.standard;
  try {
    stored.got = kernel.run(stored.c, {}).outputs;
    if (standard == Standard::bound || standard == Standard::exact) stored.want = oracle.evaluate(stored.c);
  } catch (const KernelError&) {
  }
}

/// The folder's command, or the case's own where no folder can be written.
std::string written(const Trial& trial, const StoredCase& stored, const fs::path& folder) {
  const fs::path path = folder / folder_name(trial, stored.law);
  try {
    fs::create_directories(folder);
    write_case(stored, path);
  } catch (const std::exception& error) {
    return fmt::format("{} (no case folder: {})", command_of(trial, stored.law), error.what());
  }
  return replay_command(path.string(), trial.kernel, stored);
}

}  // namespace

std::string counterexample(const Trial& trial, const std::string& law, const Complaint& complaint, const Oracle& oracle,
                           const fs::path& folder) {
  if (folder.empty()) return complaint(trial.c, {command_of(trial, law), ""});
  const auto fails = [&](const Case& c) {
    try {
      return trial.kernel.refusal(c).empty() && !complaint(c, {}).empty();
    } catch (const std::exception&) {
      return false;  // simpler than the oracle's domain
    }
  };
  StoredCase stored{shrunk(trial.c, fails), trial.kernel.name, law};
  add_outputs(stored, trial.kernel, oracle);
  const std::string found = fmt::format("{}: {}", sizes_text(trial.c), command_of(trial, law));
  return complaint(stored.c, {written(trial, stored, folder), found});
}

Origin written_as_found(const Trial& trial, const std::string& law, const fs::path& folder) {
  if (folder.empty()) return {command_of(trial, law), ""};
  return {written(trial, {trial.c, trial.kernel.name, law}, folder), ""};
}

}  // namespace assay
