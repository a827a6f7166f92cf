#include <algorithm>

#include <fmt/format.h>

#include "kernels/ill_conditioned.hpp"
#include "kernels/table.hpp"
#include "oracle/table.hpp"
#include "problem/exchange.hpp"
#include "problem/operators/table.hpp"
#include "properties/enumerated.hpp"
#include "properties/run/laws.hpp"
#include "properties/same.hpp"
#include "properties/temporary_folder.hpp"
#include "run/evaluate.hpp"
#include "run/export_cases.hpp"
#include "run/judge_folders.hpp"
#include "run/result.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

const Kernel& kernel_named(std::string_view name) { return *std::ranges::find(kernel_table(), name, &Kernel::name); }

/// Small cases for a kernel of this program, each of another family.
Export order_for(const Kernel& kernel, std::uint64_t cases) {
  Export order{.op = kernel.op, .element = kernel.contract.input, .cases = cases};
  order.tokens = 70;
  order.heads = 1;
  order.width = 16;
  order.ragged = kernel.limits.ragged;
  return order;
}

/// Writes a case and what the kernel returns for it, its sums and nodes left out.
void write_judged(const fs::path& folder, const Case& c, const Kernel& kernel) {
  write_case({c, "", ""}, folder);
  fs::create_directory(folder / "out");
  for (const auto& [name, tensor] : kernel.run(c, {}).outputs)
    if (is_result(c.op->find(name)->role)) write_npy(tensor, folder / "out" / (name + ".npy"));
}

FoldersToJudge job_for(const fs::path& folder, const StatedContract& contract) {
  return {.folders = case_folders(folder),
          .contract = contract,
          .all_results = true,
          .ill_conditioned = ill_conditioned_families,
          .command = [](const fs::path& path) { return "assay judge " + path.string(); }};
}

Json judged(const fs::path& folder, const StatedContract& contract) {
  const Tables tables{.kernels = kernel_table(), .oracles = oracle_table()};
  return judge_folders(job_for(folder, contract), tables, [](std::size_t, const std::string&) {});
}

/// What a judgement of stored outputs says of the numbers is what `evaluate` says of the kernel that computed them.
Outcome judged_like(const Kernel& kernel) {
  Kernel without_sums = kernel;
  without_sums.limits.sums = false;
  const auto oracle = std::ranges::find(oracle_table(), kernel.op, &Oracle::op);
  const Export order = order_for(kernel, 6);
  FirstFailure found;
  for (std::uint64_t i = 0; i < order.cases; ++i) {
    const Case c = exported_case(order, i);
    if (!kernel.refusal(c).empty()) continue;
    const TemporaryFolder folder;
    write_judged(folder / "case", c, kernel);
    const StatedContract stated{.name = "own", .algorithm = kernel.contract.algorithm, .contract = kernel.contract};
    without_sums.contract = contract_for(stated, c);
    const Json of_folder = judged(folder.path(), stated);
    const Json of_kernel = result_json(evaluate(c, without_sums, *oracle, {.compared = true}));
    for (const char* key : {"verdict", "rule", "worst", "slack", "digest", "vacuous", "degenerate"})
      found.note(same(fmt::format("{}: {}: {}", kernel.name, c.family, key), of_folder["results"][0][key].dump(),
                      of_kernel[key].dump()));
  }
  return found.outcome();
}

Outcome judged_like_kernels() {
  FirstFailure found;
  for (const char* name : {"kda.attention/chunk_wy.f32", "sfda.attention/scan.f32", "sanatan.features/features.f32"})
    found.note(judged_like(kernel_named(name)));
  return found.outcome();
}

/// A kernel of this program passes under the preset that states its arithmetic.
Outcome passes(const char* name, const char* preset) {
  const Kernel& kernel = kernel_named(name);
  const Export order = order_for(kernel, 14);
  const TemporaryFolder folder;
  for (std::uint64_t i = 0; i < order.cases; ++i) {
    const Case c = exported_case(order, i);
    if (kernel.refusal(c).empty()) write_judged(folder / std::to_string(i), c, kernel);
  }
  StatedContract contract = stated_contract(preset);
  contract.algorithm = kernel.contract.algorithm;
  const Json summary = judged(folder.path(), contract)["summary"];
  return all_of({holds_if(summary["cases"] > 6, fmt::format("{}: takes {} cases", name, summary["cases"].dump())),
                 same(fmt::format("{} under {}: fails", name, preset), summary["fail"].dump(), std::string("0"))});
}

Outcome presets_take_kernels() {
  return all_of({passes("kda.attention/scan.f32", "f32"), passes("kda.attention/chunk_wy.f32.tf32", "f32-tf32"),
                 passes("kda.attention/scan.bf16", "bf16"), passes("kda.attention/chunk_wy.bf16.mma", "bf16-mma"),
                 passes("sanatan.attention/scan.f32", "f32"), passes("sanatan.features/features.bf16", "bf16")});
}

Outcome fits(const Export& order, const Case& c) {
  const bool packed = c.has("cu_seqlens");
  return all_of({holds_if(c.standard == Standard::bound || c.standard == Standard::exact, c.family + ": no values"),
                 holds_if(c.sizes[Axis::time] <= order.tokens && c.sizes[Axis::head] <= order.heads &&
                              c.sizes[Axis::feature] <= order.width && c.sizes[Axis::value] <= order.width,
                          c.family + ": " + sizes_text(c)),
                 holds_if(order.ragged || !packed, c.family + ": packed"),
                 holds_if(!order.from_zero || !c.has("S0"), c.family + ": an initial state"),
                 same("element", name_of(c.element), name_of(order.element))});
}

Outcome exports_keep_to_their_order() {
  FirstFailure found;
  for (const Operator* op : operator_table())
    for (const bool free : {false, true}) {
      const Format element = free ? Format::f32 : Format::bf16;
      Export order{.op = op, .element = element, .tokens = 40, .heads = 3, .width = 20};
      order.ragged = free;
      order.from_zero = !free;
      std::size_t packed = 0, resumed = 0;
      for (std::uint64_t i = 0; i < 60; ++i) {
        const Case c = exported_case(order, i);
        found.note(fits(order, c));
        packed += c.has("cu_seqlens");
        resumed += c.has("S0");
      }
      const bool has_state = op->find("S0") != nullptr;
      found.note(holds_if(!free || (packed > 0 && (resumed > 0 || !has_state)),
                          fmt::format("{}: {} packed, {} resumed", op->name, packed, resumed)));
    }
  return found.outcome();
}

}  // namespace

std::vector<Law> run_stored_outputs_laws() {
  return {enumerated("run.stored_outputs_are_judged_like_their_kernel", "verdict, worst element, slack and digest", "",
                     "bits", judged_like_kernels),
          enumerated("run.presets_take_kernels_of_their_arithmetic", "no case of this program's kernels fails", "",
                     "folders", presets_take_kernels),
          enumerated("run.exports_keep_to_their_order", "sizes, formats, packed sequences and initial states", "",
                     "cases", exports_keep_to_their_order)};
}

}  // namespace assay
