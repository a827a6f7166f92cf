#include "run/ratchet.hpp"

#include <algorithm>

namespace assay {
namespace {

void loosen(Update& update, const CellName& name, const std::string& how) {
  update.loosened.push_back(name.text() + ": " + how);
}

/// The cell that stands for this one from now on.
Cell kept_or_taken(Update& update, const GatedCell& g) {
  Cell cell = g.now.cell;
  if (!same_inputs(g.before, g.now)) {
    loosen(update, g.before.name, "other inputs");
  } else if (g.verdict == CellClass::worse) {
    loosen(update, g.before.name, "worse");
  } else if (g.verdict == CellClass::improved) {
    ++update.tightened;
  } else {
    cell.levels = g.before.levels;
  }
  return cell;
}

}  // namespace

Update updated(const Baseline& old, const std::vector<GatedCell>& gated, const std::vector<MeasuredCell>& fresh) {
  Update update{.baseline = {.history = old.history}};
  std::vector<Cell>& cells = update.baseline.cells;
  for (const GatedCell& g : gated) {
    if (g.now.missing)
      loosen(update, g.before.name, "removed");
    else if (g.now.fails())
      update.refused.push_back(g.before.name.text());
    else
      cells.push_back(kept_or_taken(update, g));
  }
  for (const MeasuredCell& measured : fresh) {
    if (measured.fails()) {
      update.refused.push_back(measured.cell.name.text());
    } else {
      cells.push_back(measured.cell);
      ++update.added;
    }
  }
  std::ranges::sort(cells, {}, &Cell::name);
  return update;
}

}  // namespace assay
