#include <algorithm>

#include <fmt/format.h>

#include "cli/command.hpp"
#include "problem/families.hpp"
#include "run/glob.hpp"
#include "run/mutants.hpp"

namespace assay::cli {
namespace {

struct ListOptions {
  std::string what, paper = "*";
  Output output;
};

Json item(std::string_view name, std::string_view kind, std::string_view text) {
  return {{"name", name}, {"kind", kind}, {"statement", text}};
}

std::vector<const Operator*> operators_of(const Tables& tables) {
  std::vector<const Operator*> operators;
  for (const Oracle& oracle : tables.oracles) operators.push_back(oracle.op);
  return operators;
}

Json operators(const Tables& tables, const std::string& paper) {
  Json items = Json::array();
  for (const Operator* op : operators_of(tables))
    if (matches(paper, op->paper)) items.push_back(item(op->name, "operator", op->statement));
  return items;
}

Json kernels(std::span<const Kernel> table, const std::string& paper) {
  Json items = Json::array();
  for (const Kernel& kernel : table) {
    if (!matches(paper, kernel.op->paper)) continue;
    const Contract& contract = kernel.contract;
    items.push_back(item(kernel.name, "kernel",
                         fmt::format("{} products, {} sums in {} order, state {}, output {}, repeats {}",
                                     name_of(contract.product), name_of(contract.accumulate), name_of(contract.order),
                                     name_of(contract.state), name_of(contract.output), name_of(contract.repeats))));
  }
  return items;
}

Json mutants(const Tables& tables, const std::string& paper) {
  Json items = Json::array();
  for (const Mutant& mutant : tables.mutants)
    if (is_of_paper(mutant, paper, tables)) items.push_back(item(mutant.name, "mutant", mutant.sentence));
  return items;
}

Json laws(const Tables& tables, const std::string& paper) {
  Json items = Json::array();
  for (const Law& law : tables.laws)
    if (paper == "*" || law.name.starts_with(paper + ".")) items.push_back(item(law.name, "law", law.statement));
  for (const KernelLaw& law : tables.kernel_laws) items.push_back(item(law.name, "law", law.statement));
  return items;
}

Json families(const Tables& tables, const std::string& paper) {
  Json items = Json::array();
  for (const Operator* op : operators_of(tables))
    if (matches(paper, op->paper))
      for (const Family& family : families_of(*op))
        items.push_back(item(fmt::format("{}/{}", op->name, family.name), "family", family.statement));
  return items;
}

Json items_of(const ListOptions& o, const Tables& tables) {
  if (o.what == "operators") return operators(tables, o.paper);
  if (o.what == "kernels") return kernels(tables.kernels, o.paper);
  if (o.what == "mutants") return mutants(tables, o.paper);
  if (o.what == "laws") return laws(tables, o.paper);
  return families(tables, o.paper);
}

void list(const ListOptions& o, const Context& context) {
  const Json items = items_of(o, context.tables);
  Json record = make_record(context.command_line, 0, {{"items", items.size()}});
  record["items"] = items;
  o.output.write(record);
  if (o.output.json == "-") return;
  for (const Json& row : items)
    fmt::print("{:<52} {}\n", row["name"].get<std::string>(), row["statement"].get<std::string>());
}

}  // namespace

void add_list(CLI::App& app, const Context& context) {
  const auto o = std::make_shared<ListOptions>();
  CLI::App* command = app.add_subcommand("list", "what there is to run");
  command->add_option("what", o->what, "operators, kernels, laws, families or mutants")
      ->required()
      ->check(CLI::IsMember({"operators", "kernels", "laws", "families", "mutants"}));
  add_paper(*command, o->paper, context.tables);
  o->output.add_to(*command);
  command->callback([o, &context] { list(*o, context); });
}

}  // namespace assay::cli
