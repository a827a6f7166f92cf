#include "run/gate.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "run/sign_test.hpp"

namespace assay {
namespace {

/// How one output's errors compare, over the cases that have a level on both sides.
struct OutputChange {
  std::string output;
  PairedComparison levels;

  double ratio() const { return std::exp2(levels.median_difference); }
  bool rose() const { return levels.p_larger < sign_test_level && ratio() > least_ratio; }
  bool fell() const { return levels.p_smaller < sign_test_level && ratio() < 1 / least_ratio; }
};

std::vector<OutputChange> changes_of(const Cell& before, const Cell& now) {
  std::vector<OutputChange> changes;
  for (const auto& [output, old_levels] : before.levels) {
    const auto it = now.levels.find(output);
    std::vector<double> earlier, later;
    for (std::size_t i = 0; it != now.levels.end() && i < old_levels.size(); ++i) {
      if (!old_levels[i] || !it->second[i]) continue;
      earlier.push_back(*old_levels[i]);
      later.push_back(*it->second[i]);
    }
    changes.push_back({output, compare_pairs(earlier, later)});
  }
  return changes;
}

std::string change_text(const OutputChange& c) {
  return fmt::format(
      "{}: errors {:.3g} times the baseline's in the median, larger in {} of {} cases that differ (p = {:.2g})",
      c.output, c.ratio(), c.levels.larger, c.levels.pairs, std::min(c.levels.p_larger, c.levels.p_smaller));
}

/// The largest change among those that rose, or fell; nullptr if none did.
const OutputChange* largest_change(const std::vector<OutputChange>& changes, bool (OutputChange::*moved)() const) {
  const OutputChange* largest = nullptr;
  for (const OutputChange& c : changes)
    if ((c.*moved)() &&
        (!largest || std::abs(c.levels.median_difference) > std::abs(largest->levels.median_difference)))
      largest = &c;
  return largest;
}

std::size_t differing(const Cell& before, const Cell& now) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < before.digests.size(); ++i) count += before.digests[i] != now.digests[i];
  return count;
}

void classify(GatedCell& g) {
  const Cell &before = g.before, &now = g.now.cell;
  if (g.now.missing) {
    g.verdict = CellClass::broken;
    g.text = "this program has no such kernel or family";
  } else if (g.now.fails()) {
    g.verdict = CellClass::broken;
    g.text = fmt::format("{} of {} cases fail", g.now.verdicts.at(Verdict::fail), before.seeds.size());
  } else if (const std::size_t changed = differing(before, now); changed > 0) {
    const std::vector<OutputChange> changes = changes_of(before, now);
    const OutputChange* rose = largest_change(changes, &OutputChange::rose);
    const OutputChange* fell = largest_change(changes, &OutputChange::fell);
    g.verdict = rose ? CellClass::worse : fell ? CellClass::improved : CellClass::changed;
    g.text = rose || fell ? change_text(rose ? *rose : *fell)
                          : fmt::format("other bits in {} of {} cases", changed, before.seeds.size());
  }
}

Json cell_json(const GatedCell& g) {
  Json row = {{"kernel", g.before.name.kernel},
              {"family", g.before.name.family},
              {"size", g.before.name.size},
              {"class", name_of(g.verdict)},
              {"slack_before", real_json(g.before.slack)},
              {"slack_now", g.now.missing ? Json(nullptr) : real_json(g.now.cell.slack)}};
  if (!g.text.empty()) row["text"] = g.text;
  return row;
}

}  // namespace

std::string_view name_of(CellClass c) {
  constexpr std::array<std::string_view, 5> names = {"same_bits", "improved", "changed", "worse", "broken"};
  return names[static_cast<std::size_t>(c)];
}

bool same_inputs(const Cell& before, const MeasuredCell& now) {
  return now.missing || before.inputs == now.cell.inputs;
}

std::vector<GatedCell> gate(const Baseline& baseline, std::vector<MeasuredCell> now) {
  std::vector<GatedCell> cells;
  for (std::size_t i = 0; i < baseline.cells.size(); ++i) {
    cells.push_back({baseline.cells[i], std::move(now.at(i))});
    classify(cells.back());
  }
  return cells;
}

Json gate_json(const std::vector<GatedCell>& cells) {
  std::map<Verdict, std::size_t> verdicts;
  std::map<CellClass, std::size_t> classes;
  std::size_t cases = 0, skipped = 0, vacuous = 0, degenerate = 0;
  Json rows = Json::array(), results = Json::array();
  for (const GatedCell& g : cells) {
    (g.now.missing ? skipped : cases) += g.before.seeds.size();
    for (const auto& [verdict, count] : g.now.verdicts) verdicts[verdict] += count;
    vacuous += g.now.vacuous;
    degenerate += g.now.degenerate;
    ++classes[g.verdict];
    rows.push_back(cell_json(g));
    for (const auto& [number, result] : g.now.results) results.push_back(result);
  }
  Json summary = {{"cases", cases}, {"laws", 0}};
  for (const Verdict v : {Verdict::pass, Verdict::suspect, Verdict::fail, Verdict::indeterminate})
    summary[std::string(name_of(v))] = verdicts[v];
  summary["vacuous"] = vacuous;
  summary["degenerate"] = degenerate;
  summary["skipped"] = skipped;
  for (const CellClass c :
       {CellClass::same_bits, CellClass::changed, CellClass::improved, CellClass::worse, CellClass::broken})
    summary[std::string(name_of(c))] = classes[c];
  return {{"summary", summary}, {"results", results}, {"cells", rows}};
}

}  // namespace assay
