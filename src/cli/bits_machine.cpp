#include <chrono>
#include <filesystem>

#include <fmt/format.h>

#include "cli/backend.hpp"
#include "cli/command.hpp"
#include "kernels/machine/machine.hpp"
#include "properties/simt/function_errors.hpp"
#include "record/whole_file.hpp"
#include "run/machine_bits.hpp"
#include "simt/approximate/tables.hpp"

namespace assay::cli {
namespace {

namespace host = kernels::host::machine;
namespace device = kernels::device::machine;

using Results = std::vector<MachineResults>;

/// One part of the command: what the machines compute.
struct Part {
  std::string name;         ///< "mma"
  std::string subject_key;  ///< of the record's rows
  Results (*on_host)();
  std::vector<Results (*)()> on_device;  ///< each in the order of the host's
};

struct BitsOptions {
  Output output;
  bool host = false;
  std::string record;
  std::string tables;  ///< where the GPU's go; empty: nowhere
};

/// Counts up to a total on the progress line.
class Counter {
 public:
  Counter(const std::string& what, bool quiet, std::size_t total) : line_(what, quiet), total_(total) {}
  void advance(std::size_t more) { line_.show(done_ += more, total_); }

 private:
  ProgressLine line_;
  std::size_t done_ = 0, total_;
};

std::size_t blocks_of(const Results& all) {
  std::size_t blocks = 0;
  for (const MachineResults& results : all) blocks += results.blocks;
  return blocks;
}

std::vector<ComparedRow> compare_machines(const Part& part, bool quiet) {
  const Results on_host = part.on_host();
  Counter counter("bits " + part.name, quiet, blocks_of(on_host));
  std::vector<Results> on_device;
  for (const auto& results : part.on_device) on_device.push_back(results());
  std::vector<std::vector<ComparedRow>> rows(on_device.size());
  for (std::size_t i = 0; i < on_host.size(); ++i) {
    const auto digests = block_digests(on_host[i], [&](std::size_t more) { counter.advance(more); });
    for (std::size_t d = 0; d < on_device.size(); ++d)
      rows[d].push_back(compare(on_host[i], digests, on_device[d][i], block_digests(on_device[d][i], {})));
  }
  std::vector<ComparedRow> all;
  for (const auto& some : rows) all.insert(all.end(), some.begin(), some.end());
  return all;
}

void measure_errors(std::vector<ComparedRow>& rows, bool quiet) {
  std::vector<MachineBitsRow*> stated;
  for (ComparedRow& compared : rows)
    if (has_stated_error(compared.row.subject)) stated.push_back(&compared.row);
  Counter counter("errors of functions", quiet, stated.size() * error_parts);
  for (MachineBitsRow* const row : stated) {
    const FunctionError worst = largest_error_of_all(row->subject, [&] { counter.advance(1); });
    row->largest_error = {worst.error, worst.unit, worst.at, worst.stated};
  }
}

std::string error_text(const MachineBitsRow& row) {
  if (!row.largest_error) return "";
  return fmt::format("; at most {:.6g} {} (at {:08x})", row.largest_error->error,
                     row.largest_error->unit == "ulp" ? "ulp" : "of the result", row.largest_error->at);
}

void print(std::FILE* out, const std::vector<ComparedRow>& rows) {
  for (const auto& [row, first_difference] : rows) {
    fmt::print(out, "{:<30} {:<4} {:<14} {:>11} outputs, {} differ, digest {}{}\n", row.subject, row.format,
               row.instruction, row.outputs, row.mismatches, digest_text(row.digest), error_text(row));
    if (!first_difference.empty()) fmt::print(out, "  {}\n", first_difference);
  }
}

/// Writes the record of the rows and says what they sum to. Throws Stop if outputs differ.
void conclude(const BitsOptions& o, const Context& context, const Part& part, const std::vector<ComparedRow>& compared,
              double seconds) {
  std::vector<MachineBitsRow> rows;
  for (const ComparedRow& one : compared) rows.push_back(one.row);
  const Json body = machine_bits_json(rows, part.subject_key);
  Json record = make_record(context.command_line, seconds, body["summary"]);
  record["rows"] = body["rows"];
  o.output.write(record);
  if (!o.output.quiet) print(o.output.people(), compared);
  const std::uint64_t differing = body["summary"]["mismatches"];
  fmt::print(o.output.people(), "{} outputs, {} differ{} ({:.1f} s)\n", body["summary"]["outputs"].get<std::uint64_t>(),
             differing, o.host ? " from the record" : "", seconds);
  if (differing != 0) throw Stop(exit_fail, "");
}

/// The host's own results against those of a record. Throws Stop with the first row that differs.
std::vector<ComparedRow> compare_with_record(const BitsOptions& o, const Part& part) {
  const std::vector<MachineBitsRow> recorded = machine_bits_rows(read_record(o.record), part.subject_key, o.record);
  const Results on_host = part.on_host();
  Counter counter("bits " + part.name, o.output.quiet, blocks_of(on_host));
  std::vector<ComparedRow> rows;
  for (const MachineResults& results : on_host) {
    rows.push_back({row_of(results, block_digests(results, [&](std::size_t more) { counter.advance(more); })), {}});
    MachineBitsRow& row = rows.back().row;
    bool found = false;
    for (const MachineBitsRow& old : recorded) {
      if (old.subject != row.subject || old.format != row.format) continue;
      found = true;
      if (old.digest == row.digest && old.mismatches == 0 && old.outputs == row.outputs) continue;
      row.mismatches = row.outputs;
      rows.back().first_difference = fmt::format("recorded {} of {}", digest_text(old.digest), old.instruction);
    }
    if (!found) throw Stop(exit_fail, fmt::format("{}: no row for {} {}", o.record, row.subject, row.format));
  }
  return rows;
}

/// What a GPU has in the place of the tables of src/simt/approximate.
void write_tables(const std::string& folder, bool quiet) {
  const Results all = device::table_results();
  Counter counter("packing tables", quiet, all.size());
  for (const MachineResults& results : all) {
    std::vector<std::uint32_t> entries;
    for (std::uint64_t block = 0; block < results.blocks; ++block) {
      const std::vector<std::uint32_t> some = results.bits(block);
      entries.insert(entries.end(), some.begin(), some.end());
    }
    write_whole_file(simt::approximate::packed(entries), std::filesystem::path(folder) / (results.subject + ".xz"));
    counter.advance(1);
  }
}

void run(const BitsOptions& o, const Context& context, const Part& part) {
  if (!o.host) require_device("assay bits " + part.name);
  const auto start = std::chrono::steady_clock::now();
  std::vector<ComparedRow> rows = o.host ? compare_with_record(o, part) : compare_machines(part, o.output.quiet);
  if (part.subject_key == function_key) measure_errors(rows, o.output.quiet);
  if (!o.tables.empty()) write_tables(o.tables, o.output.quiet);
  conclude(o, context, part, rows, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
}

CLI::App* add_part(CLI::App& bits, const Context& context, const Part& part, const std::string& description,
                   const std::shared_ptr<BitsOptions>& o = std::make_shared<BitsOptions>()) {
  o->record = "reports/records/h200/" + part.name + ".json";
  CLI::App* command = bits.add_subcommand(part.name, description);
  o->output.add_to(*command);
  command->add_flag("--host", o->host, "compute on the host alone and compare with a record");
  command->add_option("--record", o->record, "the record that --host compares with")->type_name("FILE");
  command->callback([=, &context] { run(*o, context, part); });
  return command;
}

}  // namespace

void add_bits_machine(CLI::App& bits, const Context& context) {
  add_part(bits, context, {"mma", class_key, host::mma_results, {device::mma_results, device::wgmma_results}},
           "sums of products on tensor cores, by mma and wgmma");
  add_part(bits, context, {"functions", function_key, host::function_results, {device::function_results}},
           "elementary functions on all floats, and their errors");
  add_part(bits, context,
           {"approximations", function_key, host::approximation_results, {device::approximation_results}},
           "CUDA's approximate instructions and its library's functions on all floats, and their errors");
  const auto o = std::make_shared<BitsOptions>();
  add_part(bits, context, {"tables", table_key, host::table_results, {device::table_results}},
           "the tables that the host's approximate instructions are made of", o)
      ->add_option("--write", o->tables, "also write the GPU's tables there, as src/simt/approximate has them")
      ->type_name("DIR")
      ->check(CLI::ExistingDirectory)
      ->excludes("--host");
}

}  // namespace assay::cli
