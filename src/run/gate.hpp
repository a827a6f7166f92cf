#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "run/baseline.hpp"
#include "run/measure_cells.hpp"

namespace assay {

/// What became of a cell since its baseline, from best to worst.
enum class CellClass {
  same_bits,  ///< every output of every case has the digest that it had
  improved,   ///< the error of an output fell, and that of none rose
  changed,    ///< other bits, and no evidence that errors rose or fell
  worse,      ///< the error of an output rose
  broken,     ///< a case fails, or the kernel is not there
};

std::string_view name_of(CellClass c);

/// Errors rose (fell) where the one-sided sign test over cases that differ has p below this, and the median ratio of
/// their errors is above (below the inverse of) the ratio.
inline constexpr double sign_test_level = 1e-3;
inline constexpr double least_ratio = 1.1;

/// A cell beside its baseline.
struct GatedCell {
  Cell before;
  MeasuredCell now;
  CellClass verdict = CellClass::same_bits;
  std::string text;  ///< why, in one line; empty for the same bits
};

/// Compares what was measured with the baseline, cell by cell; `now` is in the order of the baseline's cells.
std::vector<GatedCell> gate(const Baseline& baseline, std::vector<MeasuredCell> now);

/// Whether the baseline's cases are still what this program makes of their seeds.
bool same_inputs(const Cell& before, const MeasuredCell& now);

/// summary, results and cells of a gate record.
Json gate_json(const std::vector<GatedCell>& cells);

}  // namespace assay
