#include "run/drift.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>

#include <fmt/format.h>

#include "cli/command.hpp"
#include "record/whole_file.hpp"
#include "run/glob.hpp"

namespace assay::cli {
namespace {

constexpr std::int64_t longest = 1 << 20;

struct DriftOptions {
  std::string paper = "*", kernel = "*", out;
  std::vector<std::string> lengths = {"64", "128", "256", "512", "1024", "2048", "4096"};
  std::uint64_t seed = 1;
  Output output;
};

std::int64_t length_of(const std::string& text) {
  std::int64_t length = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), length);
  if (error != std::errc() || end != text.data() + text.size() || length < 1 || length > longest)
    throw Stop(exit_usage, fmt::format("length '{}': needs a whole number from 1 to {}", text, longest));
  return length;
}

std::vector<std::int64_t> lengths_of(const std::vector<std::string>& texts) {
  std::vector<std::int64_t> lengths;
  for (const std::string& text : texts) lengths.push_back(length_of(text));
  std::ranges::sort(lengths);
  lengths.erase(std::ranges::unique(lengths).begin(), lengths.end());
  return lengths;
}

DriftPlan plan_of(const DriftOptions& o, const Tables& tables) {
  DriftPlan plan{.lengths = lengths_of(o.lengths), .seed = o.seed};
  bool found = false;
  for (const Kernel& kernel : tables.kernels) {
    found = found || matches(o.kernel, kernel.name);
    if (matches(o.paper, kernel.op->paper) && matches(o.kernel, kernel.name)) plan.kernels.push_back(&kernel);
  }
  if (!found) nothing_matches("kernel", o.kernel, names_of(tables.kernels));
  if (plan.kernels.empty()) nothing_matches("paper", o.paper, {});
  return plan;
}

/// "sanatan.attention.scan.f32.bell.o.csv"
std::string file_name(const Json& curve) {
  std::string name = curve["kernel"].get<std::string>();
  std::ranges::replace(name, '/', '.');
  return fmt::format("{}.{}.{}.csv", name, curve["family"].get<std::string>(), curve["output"].get<std::string>());
}

std::string csv_of(const Json& curve) {
  std::string text = curve["axis"].get<std::string>() + ",p50,p99,bound\n";
  const auto cell = [](const Json& x) { return x.is_string() ? x.get<std::string>() : x.dump(); };
  for (std::size_t i = 0; i < curve["x"].size(); ++i)
    text += fmt::format("{},{},{},{}\n", curve["x"][i].dump(), cell(curve["p50"][i]), cell(curve["p99"][i]),
                        cell(curve["bound"][i]));
  return text;
}

void write_folder(const Json& record, const std::filesystem::path& folder) {
  write_record(record, folder / "drift.json");
  for (const Json& curve : record["curves"]) write_whole_file(csv_of(curve), folder / file_name(curve));
}

void print_curves(const DriftOptions& o, const Json& curves) {
  const auto at = [](const Json& row, const char* key) {
    return row[key].back().is_number() ? row[key].back().get<double>() : std::numeric_limits<double>::quiet_NaN();
  };
  fmt::print(o.output.people(), "{:<48} {:<7} {:>5} {:>9} {:>9} {:>9}  {}\n", "kernel", "output", "T", "p50/|o|",
             "p99/|o|", "bound", "p50 against T");
  for (const Json& row : curves)
    fmt::print(o.output.people(), "{:<48} {:<7} {:>5} {:>9.2e} {:>9.2e} {:>9.2e}  {}\n",
               row["kernel"].get<std::string>(), row["output"].get<std::string>(), row["x"].back().dump(),
               at(row, "p50"), at(row, "p99"), at(row, "bound"), row["finding"].get<std::string>());
}

/// Kernels that were not run at every length.
void print_left_out(const DriftOptions& o, const DriftPlan& plan, const Json& curves) {
  for (const Kernel* kernel : plan.kernels) {
    std::int64_t last = 0;
    for (const Json& row : curves)
      if (row["kernel"] == kernel->name) last = std::max(last, row["x"].back().get<std::int64_t>());
    if (last < plan.lengths.back())
      fmt::print(o.output.people(), "{} was not run above T = {}: more than {} multiply-adds\n", kernel->name, last,
                 plan.most_work);
  }
}

void drift(const DriftOptions& o, const Context& context) {
  const auto start = std::chrono::steady_clock::now();
  const DriftPlan plan = plan_of(o, context.tables);
  if (!o.out.empty()) make_folder(o.out);
  ProgressLine line("drift", o.output.quiet);
  const Json body =
      run_drift(plan, context.tables, [&](std::size_t done, std::size_t total) { line.show(done, total); });
  line.clear();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  Json record = make_record(context.command_line, seconds, body["summary"]);
  record["curves"] = body["curves"];
  if (!o.out.empty()) write_folder(record, o.out);
  o.output.write(record);
  if (!o.output.quiet) print_curves(o, record["curves"]);
  if (!o.output.quiet) print_left_out(o, plan, record["curves"]);
  const auto above = std::ranges::count_if(record["curves"], above_bound);
  fmt::print(o.output.people(), "{}: {} curves of {} kernels, {} above their bound ({:.1f} s, seed {})\n",
             above == 0 ? "pass" : "FAIL", record["curves"].size(), plan.kernels.size(), above, seconds, o.seed);
  if (above != 0) throw Stop(exit_fail, "");
}

}  // namespace

void add_drift(CLI::App& app, const Context& context) {
  const auto o = std::make_shared<DriftOptions>();
  CLI::App* command = app.add_subcommand("drift", "how errors grow with length, against the certified oracle");
  add_paper(*command, o->paper, context.tables);
  command->add_option("--kernel", o->kernel, "only kernels whose name matches")->type_name("GLOB");
  command->add_option("--lengths", o->lengths, "tokens of a sequence")
      ->type_name("N,N,...")
      ->delimiter(',')
      ->capture_default_str();
  add_seed(*command, o->seed);
  command->add_option("--out", o->out, "write drift.json and a CSV file a curve into this folder")->type_name("DIR");
  o->output.add_to(*command);
  command->callback([o, &context] { drift(*o, context); });
}

}  // namespace assay::cli
