#include <chrono>

#include <fmt/format.h>

#include "cli/backend.hpp"
#include "cli/verdicts.hpp"
#include "run/campaign.hpp"
#include "run/glob.hpp"

namespace assay::cli {
namespace {

struct VerifyOptions {
  std::string paper = "*", kernel = "*", law = "*", family = "*", mutant, out = "assay-failures";
  std::uint64_t cases = 200, seed = 1;
  bool strict = false, all_results = false;
  Backend backend;
  Output output;
};

template <class Row>
std::vector<const Row*> chosen(std::span<const Row> table, const std::string& pattern) {
  std::vector<const Row*> rows;
  for (const Row& row : table)
    if (matches(pattern, row.name)) rows.push_back(&row);
  return rows;
}

std::vector<const Kernel*> mutants_for(const std::string& pattern, const Tables& tables) {
  std::vector<const Kernel*> kernels;
  for (const Mutant* mutant : chosen(tables.mutants, pattern)) {
    if (mutant->stale)
      throw Stop(exit_usage, fmt::format("mutant '{}' is stale: its edit no longer applies", mutant->name));
    kernels.push_back(&mutant->kernel);
  }
  if (kernels.empty()) nothing_matches("mutant", pattern, names_of(tables.mutants));
  return kernels;
}

std::vector<const Kernel*> kernels_for(const VerifyOptions& o, const Tables& tables) {
  std::vector<const Kernel*> kernels =
      o.mutant.empty() ? chosen(tables.kernels, o.kernel) : mutants_for(o.mutant, tables);
  if (kernels.empty()) nothing_matches("kernel", o.kernel, names_of(tables.kernels));
  std::erase_if(kernels, [&](const Kernel* kernel) { return !matches(o.paper, kernel->op->paper); });
  return kernels;
}

bool has_family(const std::vector<const Kernel*>& kernels, const std::string& pattern) {
  for (const Kernel* kernel : kernels)
    for (const Family* family : families_for(*kernel))
      if (matches(pattern, family->name)) return true;
  return false;
}

std::vector<std::string_view> family_names(const std::vector<const Kernel*>& kernels) {
  std::vector<std::string_view> names;
  for (const Kernel* kernel : kernels)
    for (const Family* family : families_for(*kernel)) names.push_back(family->name);
  return names;
}

/// A paper's laws are those whose names begin with it; laws of the tool itself belong to every paper.
bool belongs(std::string_view law, const std::string& paper) { return paper == "*" || law.starts_with(paper + "."); }

Campaign campaign_of(const VerifyOptions& o, const Tables& tables) {
  Campaign campaign{
      .family = o.family, .cases = o.cases, .seed = o.seed, .all_results = o.all_results, .counterexamples = o.out};
  campaign.kernels = kernels_for(o, tables);
  const bool single = o.kernel != "*" || o.family != "*" || !o.mutant.empty();
  if (!single || o.law != "*") campaign.laws = chosen(tables.laws, o.law);
  std::erase_if(campaign.laws, [&](const Law* law) { return law->exhaustive || !belongs(law->name, o.paper); });
  campaign.kernel_laws = chosen(tables.kernel_laws, o.law);
  // Contracts do not depend on cases: CTest probes them once a kernel, a campaign where it is asked to.
  if (o.law == "*") std::erase_if(campaign.kernel_laws, [](const KernelLaw* law) { return law->of_contract; });
  if (campaign.laws.empty() && campaign.kernel_laws.empty() && o.law != "*") {
    std::vector<std::string_view> names = names_of(tables.laws);
    for (const KernelLaw& law : tables.kernel_laws) names.push_back(law.name);
    nothing_matches("law", o.law, names);
  }
  if (!has_family(campaign.kernels, o.family)) nothing_matches("family", o.family, family_names(campaign.kernels));
  return campaign;
}

void verify(const VerifyOptions& o, const Context& context) {
  const auto start = std::chrono::steady_clock::now();
  const Campaign campaign = campaign_of(o, context.tables);
  ProgressLine line("verify", o.output.quiet);
  const Json body =
      run_campaign(campaign, context.tables, [&](std::size_t done, std::size_t total, const std::string& text) {
        if (!text.empty()) {
          line.clear();
          fmt::print(o.output.people(), "{}\n", text);
        }
        line.show(done, total);
      });
  line.clear();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  conclude(body,
           {.what = fmt::format("{} cases of {} kernels, {} laws", body["summary"]["cases"].dump(),
                                campaign.kernels.size(), body["summary"]["laws"].dump()),
            .where = fmt::format("seed {}", o.seed),
            .seconds = seconds,
            .strict = o.strict},
           o.output, context);
}

}  // namespace

void add_verify(CLI::App& app, const Context& context) {
  const auto o = std::make_shared<VerifyOptions>();
  CLI::App* command = app.add_subcommand("verify", "run kernels and laws on random cases and judge every element");
  add_paper(*command, o->paper, context.tables);
  command->add_option("--kernel", o->kernel, "only kernels whose name matches")->type_name("GLOB");
  command->add_option("--law", o->law, "only laws whose name matches")->type_name("GLOB");
  command->add_option("--family", o->family, "only input families whose name matches")->type_name("GLOB");
  add_count(*command, "--cases", o->cases, "inputs in all", 0, most_cases);
  add_seed(*command, o->seed);
  command->add_option("--mutant", o->mutant, "run this planted fault in place of the kernels")->type_name("NAME");
  command->add_option("--out", o->out, "where cases that fail are kept, made as simple as can be")
      ->type_name("DIR")
      ->capture_default_str();
  command->add_flag("--strict", o->strict,
                    "suspect fails; more undecided cases than an acceptance run allows is exit code 4");
  command->add_flag("--all-results", o->all_results, "keep the results of every case in the record");
  o->backend.add_to(*command);
  o->output.add_to(*command);
  command->callback([o, &context] { verify(*o, o->backend.context(context)); });
}

}  // namespace assay::cli
