#include "run/ratchet.hpp"

#include <fmt/format.h>

#include "properties/enumerated.hpp"
#include "properties/run/laws.hpp"
#include "properties/same.hpp"

namespace assay {
namespace {

constexpr std::size_t cases = 64;

/// A cell whose every case has this level; `bits` stands for digests.
Cell cell_at(double level, std::uint64_t bits, const std::string& family = "bell") {
  Cell cell{.name = {"a.b/c", family, "T ≤ 64"}, .inputs = 17, .slack = 0.5};
  for (std::size_t i = 0; i < cases; ++i) {
    cell.seeds.push_back(i + 1);
    cell.digests.push_back(bits);
    cell.levels["o"].push_back(level);
  }
  return cell;
}

MeasuredCell measured(const Cell& cell) { return {.cell = cell, .verdicts = {{Verdict::pass, cases}}}; }

MeasuredCell failing(const Cell& cell) {
  return {.cell = cell, .verdicts = {{Verdict::pass, cases - 1}, {Verdict::fail, 1}}};
}

/// One step of the ratchet on a baseline of one cell.
Update step(const Baseline& baseline, MeasuredCell now) {
  return updated(baseline, gate(baseline, {std::move(now)}), {});
}

Baseline of(const Cell& cell) { return {.history = {}, .cells = {cell}}; }

Outcome creeping() {
  // 2^0.1 = 1.07 times the errors, again and again: each step alone is no evidence.
  Baseline baseline = of(cell_at(-20, 0));
  for (int i = 1; i <= 10; ++i) {
    const Update update = step(baseline, measured(cell_at(-20 + 0.1 * i, static_cast<std::uint64_t>(i))));
    if (!update.loosened.empty())
      return all_of({same("steps until worse", i, 2), same("levels", *baseline.cells[0].levels.at("o")[0], -20.0),
                     same<std::string>("loosened", update.loosened[0], "a.b/c, bell, T ≤ 64: worse")});
    baseline = update.baseline;
    if (baseline.cells[0].digests[0] != static_cast<std::uint64_t>(i)) return Outcome::fails("the bits were not taken");
  }
  return Outcome::fails("ten losses of 7 % pass as changes");
}

Outcome tightening() {
  const Update update = step(of(cell_at(-20, 0)), measured(cell_at(-21, 1)));
  return all_of({same("tightened", update.tightened, std::size_t{1}), same("loosened", update.loosened.size(), 0ul),
                 same("level", *update.baseline.cells[0].levels.at("o")[0], -21.0)});
}

Outcome one_loosening(const Update& update, const std::string& how) {
  if (update.loosened.size() != 1) return same("loosened", update.loosened.size(), std::size_t{1});
  return same<std::string>("loosened", update.loosened[0], "a.b/c, bell, T ≤ 64: " + how);
}

Outcome loosening() {
  Cell others = cell_at(-20, 1);
  others.inputs = 18;
  const Update worse = step(of(cell_at(-20, 0)), measured(cell_at(-19, 1)));
  const Update removed = step(of(cell_at(-20, 0)), {.cell = cell_at(-20, 0), .missing = true});
  return all_of({one_loosening(worse, "worse"), same("level", *worse.baseline.cells[0].levels.at("o")[0], -19.0),
                 one_loosening(removed, "removed"), same("cells", removed.baseline.cells.size(), 0ul),
                 one_loosening(step(of(cell_at(-20, 0)), measured(others)), "other inputs")});
}

Outcome refusing() {
  const Update old_cell = step(of(cell_at(-20, 0)), failing(cell_at(-20, 1)));
  const Update new_cell = updated({}, {}, {failing(cell_at(-20, 1))});
  return all_of({same("an old cell", old_cell.refused.size(), 1ul), same("a new cell", new_cell.refused.size(), 1ul),
                 same("cells", new_cell.baseline.cells.size(), 0ul)});
}

Outcome adding() {
  const Baseline old{.history = {{"why", "#1", {}}}, .cells = {cell_at(-20, 0, "peaked")}};
  const Update update = updated(old, gate(old, {measured(old.cells[0])}),
                                {measured(cell_at(-20, 0, "bell")), measured(cell_at(-20, 0, "uniform"))});
  std::string families;
  for (const Cell& cell : update.baseline.cells) families += cell.name.family + " ";
  return all_of({same<std::string>("families", families, "bell peaked uniform "), same("added", update.added, 2ul),
                 same("history", update.baseline.history.size(), 1ul), same("loosened", update.loosened.size(), 0ul)});
}

}  // namespace

std::vector<Law> run_ratchet_laws() {
  const auto law = [](std::string_view name, std::string_view statement, auto run) {
    return enumerated(name, statement, "", "cells of 64 cases", run);
  };
  return {law("run.many_small_losses_do_not_add_up", "a change gives its bits to the baseline and keeps the old errors",
              creeping),
          law("run.an_improvement_tightens_the_baseline", "the smaller errors stand from then on", tightening),
          law("run.worse_removed_and_other_inputs_loosen", "each is listed, and needs a reason", loosening),
          law("run.no_baseline_holds_a_failing_case", "old cell or new", refusing),
          law("run.new_cells_are_added_in_order", "by name; the history stays", adding)};
}

}  // namespace assay
