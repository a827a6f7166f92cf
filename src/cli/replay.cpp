#include "run/replay.hpp"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "cli/backend.hpp"
#include "cli/command.hpp"
#include "run/glob.hpp"

namespace assay::cli {
namespace {

struct ReplayOptions {
  std::string folder, kernel, mutant;
  Backend backend;
  Output output;
};

StoredCase stored_case(const std::string& folder) {
  try {
    return read_case(folder);
  } catch (const ExchangeError& error) {
    throw Stop(exit_usage, error.what());
  }
}

const Kernel* mutant_named(const std::string& name, const Tables& tables) {
  for (const Mutant& mutant : tables.mutants)
    if (mutant.name == name && !mutant.stale) return &mutant.kernel;
  nothing_matches("mutant", name, names_of(tables.mutants));
}

/// The kernels that were asked for, else the case's own, else all of its operator; those of a glob that take the case.
std::vector<const Kernel*> kernels_for(const ReplayOptions& o, const StoredCase& stored, const Tables& tables) {
  if (!o.mutant.empty()) return {mutant_named(o.mutant, tables)};
  const std::string pattern = !o.kernel.empty() ? o.kernel : stored.kernel.empty() ? "*" : stored.kernel;
  std::vector<const Kernel*> kernels;
  std::string refusal;
  for (const Kernel& kernel : tables.kernels) {
    if (!matches(pattern, kernel.name)) continue;
    const std::string why = kernel.refusal(stored.c);
    why.empty() ? kernels.push_back(&kernel) : void(refusal = fmt::format("{}: {}", kernel.name, why));
  }
  if (kernels.empty() && !refusal.empty()) throw Stop(exit_usage, "no kernel takes the case: " + refusal);
  if (kernels.empty()) nothing_matches("kernel", pattern, names_of(tables.kernels));
  return kernels;
}

const KernelLaw* law_for(const StoredCase& stored, const Tables& tables) {
  if (stored.law.empty()) return nullptr;
  const auto it = std::ranges::find(tables.kernel_laws, stored.law, &KernelLaw::name);
  if (it == tables.kernel_laws.end()) nothing_matches("law", stored.law, names_of(tables.kernel_laws));
  return &*it;
}

bool any_fails(const Json& body) {
  return body["summary"]["fail"] != 0 ||
         std::ranges::any_of(body["laws"], [](const Json& law) { return law["verdict"] == "fail"; });
}

void replay(const ReplayOptions& o, const Context& context) {
  const auto start = std::chrono::steady_clock::now();
  const StoredCase stored = stored_case(o.folder);
  const std::vector<const Kernel*> kernels = kernels_for(o, stored, context.tables);
  const Json body = assay::replay(stored, o.folder, kernels, law_for(stored, context.tables), context.tables,
                                  [&](const std::string& text) { fmt::print(o.output.people(), "{}\n", text); });
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  Json record = make_record(context.command_line, seconds, body["summary"]);
  for (const char* key : {"counts", "laws", "results", "cost"}) record[key] = body[key];
  o.output.write(record);
  const Json& s = record["summary"];
  fmt::print(o.output.people(), "{}: {} on {}, family {}: {} pass, {} fail, {} indeterminate\n",
             any_fails(body) ? "FAIL" : "pass",
             kernels.size() == 1 ? kernels.front()->name : fmt::format("{} kernels", kernels.size()),
             sizes_text(stored.c), stored.c.family, s["pass"].dump(), s["fail"].dump(), s["indeterminate"].dump());
  if (any_fails(body)) throw Stop(exit_fail, "");
}

}  // namespace

void add_replay(CLI::App& app, const Context& context) {
  const auto o = std::make_shared<ReplayOptions>();
  CLI::App* command = app.add_subcommand("replay", "run a stored case and judge it");
  command->add_option("folder", o->folder, "holds case.json and .npy files")->required()->type_name("CASE-FOLDER");
  command->add_option("--kernel", o->kernel, "kernels whose name matches, in place of the case's own")
      ->type_name("GLOB");
  command->add_option("--mutant", o->mutant, "this planted fault in place of kernels")->type_name("NAME");
  o->backend.add_to(*command);
  o->output.add_to(*command);
  command->callback([o, &context] { replay(*o, o->backend.context(context)); });
}

}  // namespace assay::cli
