#include "run/mutants.hpp"

#include <chrono>

#include <fmt/format.h>

#include "cli/command.hpp"

namespace assay::cli {
namespace {

struct MutantOptions {
  std::string paper = "*";
  MutantSearch search;
  Output output;
};

void mutants(const MutantOptions& o, const Context& context) {
  const auto start = std::chrono::steady_clock::now();
  std::vector<const Mutant*> chosen;
  for (const Mutant& mutant : context.tables.mutants)
    if (is_of_paper(mutant, o.paper, context.tables)) chosen.push_back(&mutant);
  if (chosen.empty()) nothing_matches("paper with mutants", o.paper, {});
  ProgressLine line("mutants", o.output.quiet);
  const Json body = search_mutants(chosen, context.tables, o.search,
                                   [&](std::size_t done, std::size_t total) { line.show(done, total); });
  line.clear();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  Json record = make_record(context.command_line, seconds, body["summary"]);
  record["mutants"] = body["mutants"];
  o.output.write(record);
  for (const Json& row : body["mutants"]) {
    const std::string how = row.value("stale", false)    ? "STALE"
                            : row["caught_by"].is_null() ? "MISSED"
                                                         : row["caught_by"].get<std::string>();
    if (!o.output.quiet || row["caught_by"].is_null())
      fmt::print(o.output.people(), "{:<36} {:<56} {} cases\n", row["name"].get<std::string>(), how,
                 row["cases"].dump());
  }
  const Json& s = body["summary"];
  fmt::print(o.output.people(), "{} of {} mutants caught, {} missed, {} stale ({:.1f} s)\n", s["caught"].dump(),
             s["mutants"].dump(), s["missed"].dump(), s["stale"].dump(), seconds);
  if (s["caught"] != s["mutants"]) throw Stop(exit_fail, "");
}

}  // namespace

void add_mutants(CLI::App& app, const Context& context) {
  const auto o = std::make_shared<MutantOptions>();
  CLI::App* command = app.add_subcommand("mutants", "run every planted fault: each must be caught");
  add_paper(*command, o->paper, context.tables);
  add_count(*command, "--cases", o->search.cases, "cases that a mutant must survive to be missed", 1, most_cases);
  add_seed(*command, o->search.seed);
  o->output.add_to(*command);
  command->callback([o, &context] { mutants(*o, context); });
}

}  // namespace assay::cli
