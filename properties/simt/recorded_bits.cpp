#include <set>
#include <tuple>

#include <fmt/format.h>

#include "kernels/machine/machine.hpp"
#include "properties/enumerated.hpp"
#include "properties/simt/laws.hpp"
#include "properties/source_tree.hpp"
#include "run/machine_bits.hpp"

// What a GPU returned, in reports/records: the host machine has to compute it again.

namespace assay {
namespace {

/// A record and the results of the host that it has to agree with.
struct Recorded {
  std::string file;
  std::string subject_key;
  std::vector<MachineResults> (*on_host)();
  std::set<std::string> instructions;  ///< one at least of each format
};

const MachineResults* results_of(const MachineBitsRow& row, const std::vector<MachineResults>& all) {
  for (const MachineResults& results : all)
    if (results.subject == row.subject && results.format == row.format) return &results;
  return nullptr;
}

/// Every subject and format of the host is recorded once for each kind of instruction, and nothing else is.
Outcome is_whole(const Recorded& recorded, const std::vector<MachineBitsRow>& rows,
                 const std::vector<MachineResults>& on_host) {
  std::set<std::tuple<std::string, std::string, std::string>> found, wanted;
  const auto kind = [](const std::string& instruction) { return instruction.substr(0, instruction.find('.')); };
  for (const MachineBitsRow& row : rows) found.insert({row.subject, row.format, kind(row.instruction)});
  for (const MachineResults& results : on_host)
    for (const std::string& instruction : recorded.instructions)
      wanted.insert({results.subject, results.format, instruction});
  if (found == wanted && rows.size() == wanted.size()) return Outcome::holds();
  return Outcome::fails(
      fmt::format("{}: {} rows of {} kinds: needs {}", recorded.file, rows.size(), found.size(), wanted.size()));
}

Outcome host_agrees(const Recorded& recorded, Extent extent) {
  const std::vector<MachineBitsRow> rows =
      machine_bits_rows(read_record(recorded.file), recorded.subject_key, recorded.file);
  const std::vector<MachineResults> on_host = recorded.on_host();
  if (const Outcome whole = is_whole(recorded, rows, on_host); whole.kind != Outcome::Kind::holds) return whole;
  for (const MachineBitsRow& row : rows)
    if (const std::string line = disagreement(row, *results_of(row, on_host), extent); !line.empty())
      return Outcome::fails(line);
  return Outcome::holds();
}

void append_laws(std::vector<Law>& laws, const Recorded& recorded, std::string_view some, std::string_view all) {
  laws.push_back(enumerated(some, "the first block of every row, computed by the host machine, has the GPU's digest",
                            "", "f32", [=] { return host_agrees(recorded, Extent::first_block); }));
  laws.push_back(enumerated(all, "every row, computed by the host machine, has the GPU's digest", "", "f32",
                            [=] { return host_agrees(recorded, Extent::whole); }));
  laws.back().exhaustive = true;
}

}  // namespace

std::vector<Law> simt_recorded_bits_laws() {
  const std::filesystem::path folder = device_records_folder();
  std::vector<Law> laws;
  append_laws(laws, {(folder / "mma.json").string(), class_key, kernels::host::machine::mma_results, {"mma", "wgmma"}},
              "bits.first_sums_of_products_are_as_recorded", "bits.all_sums_of_products_are_as_recorded");
  append_laws(laws,
              {(folder / "functions.json").string(), function_key, kernels::host::machine::function_results, {""}},
              "bits.first_values_of_functions_are_as_recorded", "bits.all_values_of_functions_are_as_recorded");
  append_laws(
      laws,
      {(folder / "approximations.json").string(), function_key, kernels::host::machine::approximation_results, {""}},
      "bits.first_values_of_approximations_are_as_recorded", "bits.all_values_of_approximations_are_as_recorded");
  append_laws(laws, {(folder / "tables.json").string(), table_key, kernels::host::machine::table_results, {""}},
              "bits.first_entries_of_tables_are_as_recorded", "bits.all_entries_of_tables_are_as_recorded");
  return laws;
}

}  // namespace assay
