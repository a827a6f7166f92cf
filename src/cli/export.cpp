#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "cli/command.hpp"
#include "problem/families.hpp"
#include "problem/npy.hpp"
#include "problem/operators/table.hpp"
#include "run/export_cases.hpp"

namespace assay::cli {
namespace {

struct ExportOptions {
  std::string op, dtype = "f32", out;
  std::uint64_t tokens = 512, heads = 2, group = 2, width = 128;
  Export order;
  Output output;
};

const Operator& chosen_operator(const std::string& name) {
  std::vector<std::string_view> names;
  for (const Operator* op : operator_table()) names.push_back(op->name);
  if (std::ranges::find(names, name) == names.end()) nothing_matches("operator", name, names);
  return operator_named(name);
}

Format chosen_format(const std::string& dtype) {
  if (dtype == "f32") return Format::f32;
  if (dtype == "bf16") return Format::bf16;
  throw Stop(exit_usage, fmt::format("--dtype {}: needs f32 or bf16", dtype));
}

/// A folder that is new or empty: cases of an earlier export must not be judged among these.
void require_empty(const std::filesystem::path& folder) {
  make_folder(folder);
  if (!std::filesystem::is_empty(folder)) throw Stop(exit_usage, fmt::format("{}: is not empty", folder.string()));
}

void export_cases(ExportOptions& o, const Context& context) {
  const auto start = std::chrono::steady_clock::now();
  Export& order = o.order;
  order.op = &chosen_operator(o.op);
  order.element = chosen_format(o.dtype);
  order.tokens = static_cast<std::int64_t>(o.tokens);
  order.heads = static_cast<std::int64_t>(o.heads);
  order.group = static_cast<std::int64_t>(o.group);
  order.width = static_cast<std::int64_t>(o.width);
  if (!has_families(order)) {
    std::vector<std::string_view> names;
    for (const Family& family : families_of(*order.op)) names.push_back(family.name);
    nothing_matches("family with values due", order.family, names);
  }
  require_empty(o.out);
  try {
    assay::export_cases(order, o.out);
  } catch (const ExchangeError& error) {
    throw Stop(exit_usage, error.what());
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  o.output.write(make_record(context.command_line, seconds, {{"cases", order.cases}}));
  fmt::print(o.output.people(), "{} cases of {} in {} ({}, seed {})\n", order.cases, order.op->name, o.out, o.dtype,
             order.seed);
}

}  // namespace

void add_export(CLI::App& app, const Context& context) {
  const auto o = std::make_shared<ExportOptions>();
  CLI::App* command = app.add_subcommand("export", "write cases for another program's kernel, a folder each");
  command->add_option("--operator", o->op, "what the kernel computes: assay list operators")
      ->required()
      ->type_name("OP");
  command->add_option("--out", o->out, "a new or empty folder")->required()->type_name("DIR");
  add_count(*command, "--cases", o->order.cases, "folders in all", 1, most_cases);
  add_seed(*command, o->order.seed);
  command->add_option("--family", o->order.family, "only input families whose name matches")->type_name("GLOB");
  command->add_option("--dtype", o->dtype, "of the inputs: f32, or bf16 as uint16")
      ->type_name("f32|bf16")
      ->capture_default_str();
  add_count(*command, "--tokens", o->tokens, "most tokens of a row", 1, 1 << 16)->capture_default_str();
  add_count(*command, "--heads", o->heads, "most heads", 1, 1 << 10);
  add_count(*command, "--group", o->group, "most query heads that share keys", 1, 1 << 10);
  add_count(*command, "--width", o->width, "largest d and dv; the others are powers of two from 16", 1, 256);
  command->add_flag("--ragged", o->order.ragged, "one case in four packs sequences, with cu_seqlens");
  command->add_flag("--from-zero", o->order.from_zero, "no initial states");
  o->output.add_to(*command);
  command->callback([o, &context] { export_cases(*o, context); });
}

}  // namespace assay::cli
