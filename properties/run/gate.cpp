#include "run/gate.hpp"

#include <csignal>

#include <fmt/format.h>

#include "oracle/table.hpp"
#include "properties/enumerated.hpp"
#include "properties/run/known_kernel.hpp"
#include "properties/run/laws.hpp"
#include "properties/same.hpp"
#include "run/cell_list.hpp"

namespace assay {
namespace {

constexpr const char* name = "sanatan.feature_attention/known";

/// Two cells of one family, of small cases.
const std::vector<Cell>& test_cells() {
  static const std::vector<Cell> cells = [] {
    const Kernel kernel = known_kernel(name, scattered(0, 0));
    return choose_cells({&kernel, 1}, {.families = 1, .most_work = 600'000, .most_rows = 512});
  }();
  return cells;
}

/// Of the only kernel there is.
std::vector<MeasuredCell> measured(const std::vector<Cell>& cells, const Tables& tables) {
  const FindKernel find = [&](const std::string& wanted) { return wanted == name ? &tables.kernels.front() : nullptr; };
  return measure_cells(cells, tables, find, [](std::size_t, std::size_t) {});
}

std::vector<MeasuredCell> measured(const KnownError& error) {
  const Kernel kernel = known_kernel(name, error);
  return measured(test_cells(), tables_with({&kernel, 1}));
}

Baseline baseline_of(const KnownError& error) {
  Baseline baseline;
  for (MeasuredCell& cell : measured(error)) baseline.cells.push_back(std::move(cell.cell));
  return baseline;
}

/// Errors of one unit in the last place.
const Baseline& baseline() {
  static const Baseline one = baseline_of(scattered(1, 0));
  return one;
}

/// Every cell of a gate is of this class.
Outcome all_are(const std::vector<GatedCell>& cells, CellClass wanted) {
  if (cells.size() != 2) return same("cells", cells.size(), std::size_t{2});
  FirstFailure found;
  for (const GatedCell& g : cells) {
    const std::string block = g.now.mismatches.empty() ? "" : "\n" + g.now.mismatches.begin()->second;
    found.note(same<std::string>(g.before.name.text() + " (" + g.text + ")" + block, std::string(name_of(g.verdict)),
                                 std::string(name_of(wanted))));
  }
  return found.outcome();
}

Outcome same_kernel() { return all_are(gate(baseline(), measured(scattered(1, 0))), CellClass::same_bits); }

Outcome other_errors_of_one_size() { return all_are(gate(baseline(), measured(scattered(1, 1))), CellClass::changed); }

Outcome larger_and_smaller_errors() {
  return all_of({all_are(gate(baseline(), measured(scattered(2, 0))), CellClass::worse),
                 all_are(gate(baseline(), measured(scattered(0, 0))), CellClass::improved),
                 all_are(gate(baseline_of(scattered(2, 0)), measured(scattered(1, 0))), CellClass::improved)});
}

/// Errors that rise in one output and fall in all others.
Outcome one_output_worse() {
  const KnownError mixed = [](const Case& c, const std::string& output, const Reference& want, std::size_t i) {
    return scattered(output == "z" ? 2 : 0, 0)(c, output, want, i);
  };
  const std::vector<GatedCell> cells = gate(baseline(), measured(mixed));
  return all_of({all_are(cells, CellClass::worse), holds_if(cells.front().text.starts_with("z:"),
                                                            "the text names another output: " + cells.front().text)});
}

KnownError wrong_in_one_case() {
  return [](const Case& c, const std::string& output, const Reference& want, std::size_t i) {
    const bool wrong = c.seed == test_cells().front().seeds[40] && output == "o" && i == 3;
    return wrong ? 1 : scattered(1, 0)(c, output, want, i);
  };
}

Outcome one_failing_case() {
  const std::vector<GatedCell> cells = gate(baseline(), measured(wrong_in_one_case()));
  const GatedCell& broken = cells.front();
  return all_of(
      {same<std::string>("class", std::string(name_of(broken.verdict)), "broken"),
       same<std::string>("text", broken.text, "1 of 64 cases fail"),
       same("mismatches", broken.now.mismatches.size(), std::size_t{1}),
       holds_if(broken.now.mismatches.contains(40) && broken.now.mismatches.at(40).find(name) != std::string::npos,
                "the mismatch block does not name case and kernel")});
}

Outcome missing_kernel() {
  const Kernel kernel = known_kernel(name, scattered(1, 0));
  const std::vector<GatedCell> cells =
      gate(baseline(), measure_cells(
                           test_cells(), tables_with({&kernel, 1}), [](const std::string&) { return nullptr; },
                           [](std::size_t, std::size_t) {}));
  const Json record = gate_json(cells);
  return all_of({all_are(cells, CellClass::broken),
                 holds_if(record["cells"][0]["slack_now"].is_null(), "a missing kernel has a slack"),
                 same<std::string>("skipped", record["summary"]["skipped"].dump(), "128")});
}

Outcome dying_kernel() {
  const KnownError deadly = [](const Case& c, const std::string& output, const Reference& want, std::size_t i) {
    if (c.seed == test_cells().front().seeds[5]) std::raise(SIGKILL);
    return scattered(1, 0)(c, output, want, i);
  };
  const std::vector<GatedCell> cells = gate(baseline(), measured(deadly));
  return all_of({same<std::string>("class", std::string(name_of(cells.front().verdict)), "broken"),
                 same<std::string>("text", cells.front().text, "1 of 64 cases fail"),
                 same<std::string>("the other cell", std::string(name_of(cells.back().verdict)), "same_bits")});
}

/// An oracle that allows no error at all would fail every case that it is asked about.
Outcome known_bits_are_not_judged() {
  std::vector<Oracle> oracles(oracle_table().begin(), oracle_table().end());
  for (Oracle& oracle : oracles)
    oracle.bound = [](const Case&, const Contract&, const References& want) {
      Allowances nothing;
      for (const auto& [output, reference] : want) {
        const std::vector<double> zeros(reference.hi.size());
        nothing[output] = {.deterministic = zeros, .statistical = zeros};
      }
      return nothing;
    };
  const auto gated = [&](const KnownError& error) {
    const Kernel kernel = known_kernel(name, error);
    Tables tables = tables_with({&kernel, 1});
    tables.oracles = oracles;
    return gate(baseline(), measured(baseline().cells, tables));
  };
  const std::vector<GatedCell> same_bits = gated(scattered(1, 0));
  return all_of({all_are(same_bits, CellClass::same_bits), all_are(gated(scattered(1, 1)), CellClass::broken),
                 holds_if(same_bits.front().now.cell.levels == baseline().cells.front().levels, "other levels"),
                 same("slack", same_bits.front().now.cell.slack, baseline().cells.front().slack)});
}

Outcome summary_counts() {
  const Json record = gate_json(gate(baseline(), measured(wrong_in_one_case())));
  const Json& s = record["summary"];
  return all_of({same<std::string>("cases", s["cases"].dump(), "128"), same<std::string>("fail", s["fail"].dump(), "1"),
                 same<std::string>("pass", s["pass"].dump(), "127"),
                 same<std::string>("broken", s["broken"].dump(), "1"),
                 same<std::string>("same bits", s["same_bits"].dump(), "1"),
                 same<std::string>("results", std::to_string(record["results"].size()), "1")});
}

}  // namespace

std::vector<Law> run_gate_laws() {
  const auto law = [](std::string_view law_name, std::string_view statement, auto run) {
    return enumerated(law_name, statement, "", "128 cases of a kernel with known errors", run);
  };
  return {law("run.an_unchanged_kernel_has_the_same_bits", "every digest is the baseline's", same_kernel),
          law("run.cases_with_the_bits_of_the_baseline_are_not_judged_again",
              "others are, by whatever the oracle allows", known_bits_are_not_judged),
          law("run.other_errors_of_one_size_are_a_change", "other bits, neither worse nor improved",
              other_errors_of_one_size),
          law("run.doubled_errors_are_worse_and_halved_ones_improved", "by sign test and median ratio",
              larger_and_smaller_errors),
          law("run.one_worse_output_makes_a_cell_worse", "whatever the others do; the text names it", one_output_worse),
          law("run.one_failing_case_breaks_its_cell", "1 of 64; its mismatch block is there", one_failing_case),
          law("run.a_missing_kernel_breaks_its_cells", "its cases count as skipped", missing_kernel),
          law("run.a_kernel_that_dies_breaks_its_cell_alone", "the others are measured", dying_kernel),
          law("run.a_gate_record_counts_its_cases_and_cells", "verdicts, classes, results", summary_counts)};
}

}  // namespace assay
