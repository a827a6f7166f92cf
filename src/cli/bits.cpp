#include "run/bits.hpp"

#include <chrono>

#include <fmt/format.h>

#include "cli/backend.hpp"
#include "cli/command.hpp"
#include "properties/source_tree.hpp"
#include "run/glob.hpp"

namespace assay::cli {
namespace {

struct BitsOptions {
  std::string paper = "*", kernel = "*", records = "reports/records/h200", source = source_tree().string();
  std::uint64_t cases = 200, seed = 1;
  bool host = false;
  Output output;
};

std::vector<const Kernel*> kernels_for(const BitsOptions& o, const Tables& tables) {
  std::vector<const Kernel*> kernels;
  for (const Kernel& kernel : tables.kernels)
    if (matches(o.kernel, kernel.name) && matches(o.paper, kernel.op->paper)) kernels.push_back(&kernel);
  if (kernels.empty()) nothing_matches("kernel", o.kernel, names_of(tables.kernels));
  return kernels;
}

/// The host's bits against those that a device returned once.
void recompute(const BitsOptions& o, const Context& context) {
  const auto start = std::chrono::steady_clock::now();
  std::size_t cases = 0, kernels = 0, wrong = 0;
  for (const Kernel* kernel : kernels_for(o, context.tables)) {
    if (kernel->contract.repeats == Repeats::never) continue;
    const RecordedBits bits = recompute_bits(*kernel, {o.records, o.source}, o.cases);
    ++kernels;
    cases += bits.cases;
    if (bits.wrong.empty()) continue;
    ++wrong;
    fmt::print(o.output.people(), "differs: {}\n", bits.wrong);
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  o.output.write(make_record(context.command_line, seconds,
                             {{"kernels", kernels}, {"cases", cases}, {"kernels_that_differ", wrong}}));
  fmt::print(o.output.people(), "{}: {} kernels, {} cases of {}, {} kernels differ ({:.1f} s)\n",
             wrong == 0 ? "pass" : "FAIL", kernels, cases, o.records, wrong, seconds);
  if (wrong != 0) throw Stop(exit_fail, "");
}

void compare(const BitsOptions& o, const Context& context) {
  require_device("assay bits kernels");
  const auto start = std::chrono::steady_clock::now();
  const BitsPlan plan{kernels_for(o, context.tables), o.cases, o.seed, o.source};
  ProgressLine line("bits", o.output.quiet);
  const Json body =
      compare_machines(plan, context.tables, [&](std::size_t done, std::size_t total) { line.show(done, total); });
  line.clear();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  Json record = make_record(context.command_line, seconds, body["summary"]);
  for (const char* key : {"rows", "differences"}) record[key] = body[key];
  o.output.write(record);
  for (const Json& one : body["differences"])
    fmt::print(o.output.people(), "differs: {}, family {}, seed {}: {}\n", one["kernel"].get<std::string>(),
               one["family"].get<std::string>(), one["seed"].dump(), one["text"].get<std::string>());
  const Json& s = body["summary"];
  const bool pass = s["differing"] == 0 && s["failing"] == 0;
  fmt::print(o.output.people(), "{}: {} kernels, {} cases, {} elements: {} differ ({:.1f} s)\n", pass ? "pass" : "FAIL",
             s["kernels"].dump(), s["cases"].dump(), s["elements"].dump(), s["differing"].dump(), seconds);
  if (!pass) throw Stop(exit_fail, "");
}

}  // namespace

void add_bits(CLI::App& app, const Context& context) {
  const auto o = std::make_shared<BitsOptions>();
  CLI::App* command =
      app.add_subcommand("bits", "whether the GPU returns the bits that the machine on the CPU returns");
  command->require_subcommand(1);
  CLI::App* kernels = command->add_subcommand("kernels", "every kernel on random cases, element by element");
  add_paper(*kernels, o->paper, context.tables);
  kernels->add_option("--kernel", o->kernel, "only kernels whose name matches")->type_name("GLOB");
  add_count(*kernels, "--cases", o->cases, "cases of each kernel", 1, most_cases);
  add_seed(*kernels, o->seed);
  kernels->add_flag("--host", o->host, "without a GPU: against the bits that one returned, from committed records");
  kernels->add_option("--records", o->records, "where --host finds bits-<paper>.json")
      ->type_name("DIR")
      ->capture_default_str();
  kernels->add_option("--source", o->source, "the tree that the program was built from")
      ->type_name("DIR")
      ->check(CLI::ExistingDirectory)
      ->capture_default_str();
  o->output.add_to(*kernels);
  kernels->callback([=, &context] { o->host ? recompute(*o, context) : compare(*o, context); });
  add_bits_machine(*command, context);
}

}  // namespace assay::cli
