#include <chrono>

#include <fmt/format.h>

#include "cli/command.hpp"
#include "run/bench_kernels.hpp"
#include "run/bench_oracle.hpp"

namespace assay::cli {
namespace {

void print_rows(const Output& output, const std::vector<BenchRow>& rows) {
  for (const BenchRow& row : rows) {
    fmt::print(output.people(), "{:<48} {:>9.3g} s a {}", row.name, row.seconds, row.unit);
    if (row.reference) fmt::print(output.people(), "; {:.0f} times faster", row.reference->seconds / row.seconds);
    if (row.peak_bytes)
      fmt::print(output.people(), "; at most {:.0f} MiB", static_cast<double>(*row.peak_bytes) / 0x1p20);
    if (!row.text.empty()) fmt::print(output.people(), "; {}", row.text);
    fmt::print(output.people(), "\n");
  }
}

/// Times what `run` returns rows of, writes the record and prints.
void bench(const Output& output, const Context& context, const std::function<std::vector<BenchRow>()>& run) {
  const auto start = std::chrono::steady_clock::now();
  const std::vector<BenchRow> rows = run();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const Json body = bench_json(rows);
  Json record = make_record(context.command_line, seconds, body["summary"]);
  record["rows"] = body["rows"];
  output.write(record);
  if (!output.quiet) print_rows(output, rows);
  fmt::print(output.people(), "{} rows ({:.1f} s)\n", rows.size(), seconds);
}

}  // namespace

void add_bench(CLI::App& app, const Context& context) {
  const auto output = std::make_shared<Output>();
  CLI::App* command = app.add_subcommand("bench", "how long oracles and kernels take on this machine");
  command->require_subcommand(1);
  CLI::App* oracle = command->add_subcommand("oracle", "certified values beside the definition at 50 digits");
  output->add_to(*oracle);
  CLI::App* kernels = command->add_subcommand("kernels", "one layer at the published size, judged: time and memory");
  output->add_to(*kernels);
  kernels->callback([=, &context] {
    bench(*output, context, [&] {
      ProgressLine line("bench", output->quiet);
      return bench_kernels({}, context.tables, [&](std::size_t done, std::size_t total) { line.show(done, total); });
    });
  });
  oracle->callback([=, &context] { bench(*output, context, [&] { return bench_oracle({}, context.tables); }); });
}

}  // namespace assay::cli
