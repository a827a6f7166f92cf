#include <chrono>

#include <fmt/format.h>

#include "cli/backend.hpp"
#include "cli/command.hpp"
#include "cli/speed.hpp"
#include "oracle/sas/ball_attention.hpp"
#include "problem/operators/sas.hpp"
#include "properties/simt/tensor_core_rate.hpp"
#include "run/bench_kernels.hpp"
#include "run/bench_oracle.hpp"
#include "run/glob.hpp"

namespace assay::cli {
namespace {

void print_rows(const Output& output, const std::vector<BenchRow>& rows) {
  for (const BenchRow& row : rows) {
    fmt::print(output.people(), "{:<48} {:>9.3g} s a {}", row.name, row.seconds, row.unit);
    if (row.reference)
      fmt::print(output.people(), "; {:.0f} times faster than {}", row.reference->seconds / row.seconds,
                 row.reference->name);
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

/// What `bench` times.
struct BenchOptions {
  Output output;
  Backend backend;
  std::string paper = "*";
};

/// The kernels and oracles of some papers.
struct Chosen {
  std::vector<Kernel> kernels;
  std::vector<Oracle> oracles;
  Tables tables;

  Chosen(const Tables& all, const std::string& paper) : tables(all) {
    for (const Kernel& kernel : all.kernels)
      if (matches(paper, kernel.op->paper)) kernels.push_back(kernel);
    for (const Oracle& oracle : all.oracles)
      if (matches(paper, oracle.op->paper)) oracles.push_back(oracle);
    tables.kernels = kernels;
    tables.oracles = oracles;
  }
};

/// On the host judged, on a GPU beside the least time that a kernel can take.
void bench_kernels_of(BenchOptions& o, const Context& context) {
  const Context there = o.backend.context(context);
  const Chosen chosen(there.tables, o.paper);
  if (o.backend.on_device()) return bench_on_device(o.output, {chosen.tables, context.command_line});
  bench(o.output, context, [&] {
    ProgressLine line("bench", o.output.quiet);
    return bench_kernels({}, chosen.tables, [&](std::size_t done, std::size_t total) { line.show(done, total); });
  });
}

}  // namespace

void add_bench(CLI::App& app, const Context& context) {
  const auto o = std::make_shared<BenchOptions>();
  CLI::App* command =
      app.add_subcommand("bench", "how long oracles, kernels and the tensor-core model take on this machine");
  command->require_subcommand(1);
  CLI::App* oracle = command->add_subcommand("oracle", "certified values beside the definition at 50 digits");
  CLI::App* kernels =
      command->add_subcommand("kernels", "one layer at the published size: judged on the host, timed on a GPU");
  for (CLI::App* part : {oracle, kernels}) {
    o->output.add_to(*part);
    add_paper(*part, o->paper, context.tables);
  }
  CLI::App* mma = command->add_subcommand("mma", "the model of the tensor-core sum, alone");
  o->output.add_to(*mma);
  mma->callback([=, &context] { bench(o->output, context, tensor_core_rates); });
  o->backend.add_to(*kernels);
  kernels->callback([=, &context] { bench_kernels_of(*o, context); });
  oracle->callback([=, &context] {
    const OracleBench beside{.in_balls = {{&operators::softmax_attention(), sas::attention_in_balls}}};
    bench(o->output, context, [&] { return bench_oracle(beside, Chosen(context.tables, o->paper).tables); });
  });
}

}  // namespace assay::cli
