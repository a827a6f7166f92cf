#include "run/drift.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>

#include <fmt/format.h>

#include "cli/backend.hpp"
#include "cli/command.hpp"
#include "problem/families.hpp"
#include "properties/claims.hpp"
#include "properties/sfda/phase_drift.hpp"
#include "record/whole_file.hpp"
#include "run/glob.hpp"
#include "run/published_table.hpp"

namespace assay::cli {
namespace {

constexpr std::int64_t longest = 1 << 20;

struct DriftOptions {
  std::string paper = "*", kernel = "*", family = "*", out, progress;
  std::vector<std::string> lengths = {"64", "128", "256", "512", "1024", "2048", "4096", "8192", "16384"};
  std::uint64_t seed = 1, heads = 2, width = 16;
  Backend backend;
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

void require_family(const std::string& family, const std::vector<const Kernel*>& kernels) {
  std::vector<std::string_view> names;
  for (const Kernel* kernel : kernels)
    for (const Family* known : families_for(*kernel)) names.push_back(known->name);
  if (std::ranges::none_of(names, [&](std::string_view name) { return matches(family, name); }))
    nothing_matches("family", family, names);
}

DriftPlan plan_of(const DriftOptions& o, const Tables& tables) {
  DriftPlan plan{.kernels = {},
                 .lengths = lengths_of(o.lengths),
                 .seed = o.seed,
                 .heads = static_cast<std::int64_t>(o.heads),
                 .width = static_cast<std::int64_t>(o.width),
                 .family = o.family,
                 .progress = o.progress};
  bool found = false;
  for (const Kernel& kernel : tables.kernels) {
    found = found || matches(o.kernel, kernel.name);
    if (matches(o.paper, kernel.op->paper) && matches(o.kernel, kernel.name)) plan.kernels.push_back(&kernel);
  }
  if (!found) nothing_matches("kernel", o.kernel, names_of(tables.kernels));
  if (plan.kernels.empty()) nothing_matches("paper", o.paper, {});
  require_family(o.family, plan.kernels);
  return plan;
}

/// "sanatan.attention.scan.f32.bell.length.o.csv"
std::string file_name(const Json& curve) {
  std::string name = curve["kernel"].get<std::string>();
  std::ranges::replace(name, '/', '.');
  return fmt::format("{}.{}.{}.{}.csv", name, curve["family"].get<std::string>(), curve["axis"].get<std::string>(),
                     curve["output"].get<std::string>());
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

/// "T = 4096": the last place of a curve.
std::string last_place(const Json& curve) {
  const std::string axis = curve["axis"];
  return fmt::format("{} = {}", axis == "length" ? "T" : axis == "chunk" ? "C" : axis, curve["x"].back().dump());
}

void print_curves(const DriftOptions& o, const Json& curves) {
  const auto at = [](const Json& row, const char* key) {
    return row[key].back().is_number() ? row[key].back().get<double>() : std::numeric_limits<double>::quiet_NaN();
  };
  fmt::print(o.output.people(), "{:<48} {:<10} {:<10} {:>21} {:>9} {:>9} {:>9}  {}\n", "kernel", "family", "output",
             "at", "p50/|o|", "p99/|o|", "bound", "p50");
  for (const Json& row : curves)
    fmt::print(o.output.people(), "{:<48} {:<10} {:<10} {:>21} {:>9.2e} {:>9.2e} {:>9.2e}  {}\n",
               row["kernel"].get<std::string>(), row["family"].get<std::string>(), row["output"].get<std::string>(),
               last_place(row), at(row, "p50"), at(row, "p99"), at(row, "bound"), row["finding"].get<std::string>());
}

/// "62 % operand, 30 % state, 8 % accumulate": the largest first.
std::string shares_text(const Json& kinds) {
  std::vector<std::pair<double, std::string>> sorted;
  for (const auto& [kind, share] : kinds.items())
    if (share.is_number()) sorted.emplace_back(share.get<double>(), kind);
  std::ranges::sort(sorted, std::greater());
  std::string text;
  for (const auto& [share, kind] : sorted)
    if (share >= 0.005) text += fmt::format("{}{:.0f} % {}", text.empty() ? "" : ", ", 100 * share, kind);
  return text.empty() ? "nothing rounds" : text;
}

void print_shares(const DriftOptions& o, const Json& shares) {
  if (shares.empty()) return;
  fmt::print(o.output.people(), "\n{:<48} {:<10} {:<10} {:>9} {:>9}  {}\n", "kernel", "family", "output", "rms/|o|",
             "by kinds", "causes, as shares of the mean square");
  for (const Json& row : shares) {
    const auto number = [&](const char* key) {
      return row[key].is_number() ? row[key].get<double>() : std::numeric_limits<double>::quiet_NaN();
    };
    fmt::print(o.output.people(), "{:<48} {:<10} {:<10} {:>9.2e} {:>9.2e}  {}\n", row["kernel"].get<std::string>(),
               row["family"].get<std::string>(), row["output"].get<std::string>(), number("measured"),
               number("together"), shares_text(row["kinds"]));
  }
}

Json counters_json() {
  Json rows = Json::array();
  for (const PhaseDrift& drift : phase_drifts(read_published_table(published_table_file("sfda_numeric_checks"))))
    rows.push_back({{"error", drift.error},
                    {"format", drift.format},
                    {"steps", drift.steps},
                    {"moduli", drift.moduli},
                    {"measured", drift.measured},
                    {"published", drift.published.empty() ? Json(nullptr) : Json(drift.published)},
                    {"place", drift.place.empty() ? Json(nullptr) : Json(drift.place)}});
  return rows;
}

void print_counters(const DriftOptions& o, const Json& counters) {
  if (counters.empty()) return;
  fmt::print(o.output.people(), "\ncounters modulo m: largest error over T random steps, and what is published\n");
  for (const Json& row : counters) {
    fmt::print(o.output.people(), "{:<6} {} T = {:<6}", row["error"].get<std::string>(),
               row["format"].get<std::string>(), row["steps"].dump());
    for (std::size_t i = 0; i < row["moduli"].size(); ++i)
      fmt::print(o.output.people(), " m = {}: {:.1e} ", row["moduli"][i].dump(), row["measured"][i].get<double>());
    if (row["published"].is_null())
      fmt::print(o.output.people(), "\n");
    else
      fmt::print(o.output.people(), " {}: {}\n", row["place"].get<std::string>(), row["published"].get<std::string>());
  }
}

/// Kernels that were not run at every length.
void print_left_out(const DriftOptions& o, const DriftPlan& plan, const Json& curves) {
  for (const Kernel* kernel : plan.kernels) {
    std::int64_t last = 0;
    for (const Json& row : curves)
      if (row["kernel"] == kernel->name && row["axis"] == "length")
        last = std::max(last, row["x"].back().get<std::int64_t>());
    if (last > 0 && last < plan.lengths.back())
      fmt::print(o.output.people(), "{} was not run above T = {}: more than {} multiply-adds\n", kernel->name, last,
                 plan.most_work);
  }
}

void drift(const DriftOptions& o, const Context& context) {
  const auto start = std::chrono::steady_clock::now();
  const DriftPlan plan = plan_of(o, context.tables);
  if (!o.out.empty()) make_folder(o.out);
  if (!o.progress.empty()) make_folder(o.progress);
  ProgressLine line("drift", o.output.quiet);
  const Json body =
      run_drift(plan, context.tables, [&](std::size_t done, std::size_t total) { line.show(done, total); });
  line.clear();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  Json record = make_record(context.command_line, seconds, body["summary"]);
  for (const char* rows : {"curves", "shares"}) record[rows] = body[rows];
  record["counters"] = o.kernel == "*" && matches(o.paper, "sfda") ? counters_json() : Json::array();
  if (!o.out.empty()) write_folder(record, o.out);
  o.output.write(record);
  if (!o.output.quiet) {
    print_curves(o, record["curves"]);
    print_left_out(o, plan, record["curves"]);
    print_shares(o, record["shares"]);
    print_counters(o, record["counters"]);
  }
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
  command
      ->add_option(
          "--lengths", o->lengths,
          "tokens of a sequence, up to 2^20; where the state is handed on in memory that does not depend on it")
      ->type_name("N,N,...")
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("--family", o->family, "only these families, each over all lengths")->type_name("GLOB");
  add_count(*command, "--heads", o->heads, "heads", 1, 1 << 10);
  add_count(*command, "--width", o->width, "d and dv", 1, 128);
  add_seed(*command, o->seed);
  command
      ->add_option("--progress", o->progress,
                   "keep what long runs have done in this folder, and go on from what it holds")
      ->type_name("DIR");
  command->add_option("--out", o->out, "write drift.json and a CSV file a curve into this folder")->type_name("DIR");
  o->backend.add_to(*command);
  o->output.add_to(*command);
  command->callback([o, &context] { drift(*o, o->backend.context(context)); });
}

}  // namespace assay::cli
