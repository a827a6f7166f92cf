#include "run/gate.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "cli/backend.hpp"
#include "cli/command.hpp"
#include "record/junit.hpp"
#include "record/whole_file.hpp"
#include "run/cell_list.hpp"
#include "run/glob.hpp"
#include "run/ratchet.hpp"

namespace assay::cli {
namespace {

struct GateOptions {
  std::string baseline, reason, issue, mutant, junit;
  bool update = false;
  Backend backend;
  Output output;
};

/// The cells to run, and by what.
struct GateRun {
  Baseline baseline;        ///< as it was read; of a mutant: its kernel's cells
  std::vector<Cell> fresh;  ///< of kernels and families that the baseline lacks
  FindKernel find;
};

const Kernel* kernel_named(std::span<const Kernel> kernels, const std::string& name) {
  const auto it = std::ranges::find(kernels, name, &Kernel::name);
  return it == kernels.end() ? nullptr : &*it;
}

const Mutant& mutant_named(const std::string& name, const Tables& tables) {
  const auto it = std::ranges::find(tables.mutants, name, &Mutant::name);
  if (it == tables.mutants.end()) nothing_matches("mutant", name, names_of(tables.mutants));
  if (it->stale) throw Stop(exit_usage, fmt::format("mutant '{}' is stale: its edit no longer applies", name));
  return *it;
}

void require_known_kernel(const GateOptions& o, const Baseline& baseline, const Tables& tables) {
  if (baseline.cells.empty()) throw Stop(exit_usage, fmt::format("{}: no cells: nothing to compare with", o.baseline));
  const auto known = [&](const Cell& cell) { return kernel_named(tables.kernels, cell.name.kernel) != nullptr; };
  if (std::ranges::none_of(baseline.cells, known))
    throw Stop(exit_usage, fmt::format("{}: none of its kernels is in this program, not even {}", o.baseline,
                                       baseline.cells.front().name.kernel));
}

GateRun run_of_mutant(const GateOptions& o, Baseline baseline, const Tables& tables) {
  const Mutant& mutant = mutant_named(o.mutant, tables);
  std::erase_if(baseline.cells, [&](const Cell& cell) { return cell.name.kernel != mutant.base; });
  if (baseline.cells.empty())
    throw Stop(exit_usage,
               fmt::format("{}: no cell of {}, which {} was planted in", o.baseline, mutant.base, o.mutant));
  return {std::move(baseline), {}, [&mutant](const std::string&) { return &mutant.kernel; }};
}

GateRun gate_run(const GateOptions& o, const Tables& tables) {
  if (o.update) require_writable(o.baseline);
  const bool created = o.update && !std::filesystem::exists(o.baseline);
  Baseline baseline = created ? Baseline{} : read_baseline(o.baseline);
  if (!created) require_known_kernel(o, baseline, tables);
  if (!o.mutant.empty()) return run_of_mutant(o, std::move(baseline), tables);
  GateRun run{std::move(baseline), {}, [&](const std::string& name) { return kernel_named(tables.kernels, name); }};
  std::set<CellName> there;
  for (const Cell& cell : run.baseline.cells) there.insert(cell.name);
  if (o.update) run.fresh = choose_cells(tables.kernels, {});
  std::erase_if(run.fresh, [&](const Cell& cell) { return there.contains(cell.name); });
  return run;
}

void require_same_inputs(const GateOptions& o, const std::vector<GatedCell>& cells) {
  const auto other = [](const GatedCell& g) { return !same_inputs(g.before, g.now); };
  const auto it = std::ranges::find_if(cells, other);
  if (it == cells.end()) return;
  throw Stop(exit_usage,
             fmt::format("{}: this program makes other inputs in {} of {} cells (first: {}): --update takes them",
                         o.baseline, std::ranges::count_if(cells, other), cells.size(), it->before.name.text()));
}

bool alarming(const GatedCell& g) { return g.verdict >= CellClass::worse; }

/// Kernel, class and reason in a line; of a failing cell the block of its first failing case.
std::string cell_text(const GatedCell& g) {
  std::string text = fmt::format("{}: {}: {}\n", name_of(g.verdict), g.before.name.text(), g.text);
  if (!g.now.mismatches.empty()) text += g.now.mismatches.begin()->second;
  return text;
}

void print_cells(const GateOptions& o, const std::vector<GatedCell>& cells) {
  for (const GatedCell& g : cells)
    if (alarming(g) || (!o.output.quiet && g.verdict != CellClass::same_bits))
      fmt::print(o.output.people(), "{}", cell_text(g));
}

void print_new_kernels(const GateOptions& o, const Baseline& baseline, const Tables& tables) {
  for (const Kernel& kernel : tables.kernels)
    if (std::ranges::none_of(baseline.cells, [&](const Cell& cell) { return cell.name.kernel == kernel.name; }))
      fmt::print(o.output.people(), "not in the baseline: {}: --update adds it\n", kernel.name);
}

void write_junit(const GateOptions& o, const std::vector<GatedCell>& cells) {
  std::vector<JUnitCase> tests;
  for (const GatedCell& g : cells)
    tests.push_back({.classname = g.before.name.kernel,
                     .name = g.before.name.family + ", " + g.before.name.size,
                     .seconds = g.now.seconds,
                     .failure = alarming(g) ? cell_text(g) : ""});
  if (!o.junit.empty()) write_whole_file(junit_xml("assay gate", tests), o.junit);
}

void write_update(const GateOptions& o, Update update) {
  if (!update.refused.empty())
    throw Stop(exit_fail,
               fmt::format("{} is as it was: {} cells fail, and no baseline holds a failing case (first: {})",
                           o.baseline, update.refused.size(), update.refused.front()));
  if (!update.loosened.empty()) {
    if (o.reason.empty())
      throw Stop(exit_fail, fmt::format("{} is as it was: this would loosen {} cells (first: {}); that needs --reason "
                                        "and --issue",
                                        o.baseline, update.loosened.size(), update.loosened.front()));
    update.baseline.history.push_back({o.reason, o.issue, update.loosened});
  }
  write_baseline(update.baseline, o.baseline);
  fmt::print(o.output.people(), "{}: {} cells: {} added, {} tightened, {} loosened\n", o.baseline,
             update.baseline.cells.size(), update.added, update.tightened, update.loosened.size());
}

void run_gate(const GateOptions& o, const Context& context) {
  const auto start = std::chrono::steady_clock::now();
  const GateRun run = gate_run(o, context.tables);
  std::vector<Cell> list = run.baseline.cells;
  list.insert(list.end(), run.fresh.begin(), run.fresh.end());
  ProgressLine line("gate", o.output.quiet);
  std::vector<MeasuredCell> now = measure_cells(list, context.tables, run.find,
                                                [&](std::size_t done, std::size_t total) { line.show(done, total); });
  line.clear();
  const auto middle = now.begin() + static_cast<std::ptrdiff_t>(run.baseline.cells.size());
  const std::vector<MeasuredCell> fresh(middle, now.end());
  now.erase(middle, now.end());
  const std::vector<GatedCell> cells = gate(run.baseline, std::move(now));
  if (!o.update) require_same_inputs(o, cells);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  Json body = gate_json(cells);
  Json record = make_record(context.command_line, seconds, body["summary"]);
  for (const char* key : {"results", "cells"}) record[key] = body[key];
  o.output.write(record);
  write_junit(o, cells);
  print_cells(o, cells);
  const bool alarm = std::ranges::any_of(cells, alarming);
  const Json& s = record["summary"];
  if (!cells.empty())
    fmt::print(o.output.people(),
               "{}: {} cases in {} cells: {} same bits, {} changed, {} improved, {} worse, {} broken ({:.1f} s)\n",
               alarm ? "FAIL" : "pass", s["cases"].dump(), cells.size(), s["same_bits"].dump(), s["changed"].dump(),
               s["improved"].dump(), s["worse"].dump(), s["broken"].dump(), seconds);
  if (o.update) return write_update(o, updated(run.baseline, cells, fresh));
  if (o.mutant.empty() && !o.output.quiet) print_new_kernels(o, run.baseline, context.tables);
  if (alarm) throw Stop(exit_fail, "");
}

}  // namespace

void add_gate(CLI::App& app, const Context& context) {
  const auto o = std::make_shared<GateOptions>();
  CLI::App* command = app.add_subcommand("gate", "may a change merge: bits and errors against a committed baseline");
  command->add_option("--baseline", o->baseline, "cases, digests and errors to compare with")
      ->type_name("FILE")
      ->required();
  CLI::Option* update = command->add_flag("--update", o->update, "write the baseline anew: create, add, tighten");
  CLI::Option* reason =
      command->add_option("--reason", o->reason, "why --update may loosen a cell; kept in the file")->type_name("TEXT");
  CLI::Option* issue =
      command->add_option("--issue", o->issue, "where that was decided; kept in the file")->type_name("REF");
  reason->needs(update)->needs(issue);
  issue->needs(update)->needs(reason);
  command->add_option("--mutant", o->mutant, "run this planted fault in place of its kernel, on that kernel's cells")
      ->type_name("NAME")
      ->excludes(update);
  add_written_file(*command, "--junit", o->junit, "write JUnit XML, a test case a cell");
  o->backend.add_to(*command);
  o->output.add_to(*command);
  command->callback([o, &context] { run_gate(*o, o->backend.context(context)); });
}

}  // namespace assay::cli
