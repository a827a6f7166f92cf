#include "run/bits.hpp"

#include <limits>

#include <fmt/format.h>

#include "kernels/table.hpp"
#include "oracle/table.hpp"
#include "properties/enumerated.hpp"
#include "properties/run/known_kernel.hpp"
#include "properties/run/laws.hpp"
#include "properties/same.hpp"
#include "properties/source_tree.hpp"
#include "properties/temporary_folder.hpp"
#include "record/record.hpp"
#include "run/drift.hpp"
#include "run/glob.hpp"

namespace assay {
namespace {

constexpr std::uint64_t cases = 6;

/// A kernel that returns the truth, but on the device what `spoil` makes of it.
Kernel kernel_with(const std::function<void(Tensors&)>& spoil) {
  Kernel kernel = known_kernel("sanatan.feature_attention/scan.f32", scattered(1, 1));
  kernel.run = [run = kernel.run, spoil](const Case& c, const Execution& execution) {
    Run result = run(c, execution);
    if (execution.machine == Execution::Machine::device) spoil(result.outputs);
    return result;
  };
  return kernel;
}

Json compared(const Kernel& kernel) {
  const BitsPlan plan{{&kernel}, cases, 1, source_tree()};
  return compare_machines(plan, tables_with({&kernel, 1}), [](std::size_t, std::size_t) {});
}

/// The first element of the first output that has one.
void set_first(Tensors& outputs, double x) {
  for (auto& [name, tensor] : outputs)
    if (tensor.count() > 0) return tensor.set(0, x);
}

/// One element of every case is off.
Outcome differences_are_counted() {
  const Json body = compared(kernel_with([](Tensors& outputs) { set_first(outputs, 0x1p100); }));
  const Json none = compared(kernel_with([](Tensors&) {}));
  FirstFailure found;
  found.note(same("cases that differ", body["differences"].size(), std::size_t{cases}));
  found.note(same("elements", body["summary"]["differing"].get<std::uint64_t>(), cases));
  found.note(same("cases that differ with the same bits", none["differences"].size(), std::size_t{0}));
  return found.outcome();
}

/// A record with one digit altered, of inputs and of outputs.
Outcome altered_digests_are_found() {
  const Kernel kernel = kernel_with([](Tensors&) {});
  const Json rows = compared(kernel)["rows"];
  FirstFailure found;
  const auto recompute = [&](const Json& recorded, std::string_view wanted) {
    const TemporaryFolder folder;
    Json record = make_record("assay bits kernels", 0, Json::object());
    record["rows"] = recorded;
    write_record(record, folder / "bits-sanatan.json");
    const RecordedBits bits = recompute_bits(kernel, {folder.path(), source_tree()}, cases);
    found.note(holds_if(wanted.empty() ? bits.wrong.empty() : bits.wrong.find(wanted) != std::string::npos,
                        fmt::format("wanted '{}', got '{}'", wanted, bits.wrong)));
  };
  recompute(rows, "");
  for (const std::size_t digit : {0, 31}) {
    Json altered = rows;
    std::string text = altered[0]["digests"][4];
    text[digit] = text[digit] == '0' ? '1' : '0';
    altered[0]["digests"][4] = text;
    recompute(altered, digit == 0 ? "other inputs" : "other bits");
  }
  recompute(Json::array(), "no record");
  return found.outcome();
}

/// Fewer cases than recorded, unless the source has changed since.
Outcome changed_sources_are_recomputed() {
  const Kernel kernel = kernel_with([](Tensors&) {});
  FirstFailure found;
  for (const bool changed : {false, true}) {
    const TemporaryFolder folder;
    Json record = make_record("assay bits kernels", 0, Json::object());
    record["rows"] = compared(kernel)["rows"];
    if (changed) record["rows"][0]["source_digest"] = digest_text(1);
    write_record(record, folder / "bits-sanatan.json");
    const RecordedBits bits = recompute_bits(kernel, {folder.path(), source_tree()}, 2);
    found.note(same("cases", bits.cases, changed ? std::size_t{cases} : std::size_t{2}));
  }
  return found.outcome();
}

Outcome all_recorded() {
  for (const Kernel& kernel : kernel_table()) {
    if (kernel.contract.repeats == Repeats::never) continue;
    const DeviceRecords records{device_records_folder(), source_tree()};
    const RecordedBits bits = recompute_bits(kernel, records, std::numeric_limits<std::size_t>::max());
    if (!bits.wrong.empty()) return Outcome::fails(bits.wrong);
  }
  return Outcome::holds();
}

/// The curves of the kernels that match, as a GPU's record has them.
Outcome drift_is_recorded(const std::string& glob) {
  const Json record = read_record(device_records_folder() / "drift-sfda.json");
  DriftPlan plan{.kernels = {}, .lengths = {64, 128, 256}};
  for (const Kernel& kernel : kernel_table())
    if (kernel.op->paper == "sfda" && matches(glob, kernel.name)) plan.kernels.push_back(&kernel);
  const Json host = run_drift(plan, {.kernels = kernel_table(), .oracles = oracle_table()},
                              [](std::size_t, std::size_t) {})["curves"];
  Json device = Json::array();
  for (const Json& curve : record["curves"])
    if (matches(glob, curve["kernel"].get<std::string>())) device.push_back(curve);
  if (host.empty() || host.size() != device.size())
    return Outcome::fails(fmt::format("{}: {} curves, {} in the record", glob, host.size(), device.size()));
  FirstFailure found;
  for (std::size_t i = 0; i < host.size(); ++i) found.note(same("curve", host[i].dump(), device[i].dump()));
  return found.outcome();
}

}  // namespace

std::vector<Law> run_bits_laws() {
  const auto drift_law = [](std::string_view name, std::string_view statement, const char* glob) {
    return enumerated(name, statement, "", "f32, bf16", [glob] { return drift_is_recorded(glob); });
  };
  Law every_case = enumerated("bits.every_recorded_case_is_what_a_gpu_returned", "all cases of all kernels", "",
                              "kernels", all_recorded);
  every_case.exhaustive = true;
  Law every_curve = drift_law("bits.every_error_on_a_gpu_grows_as_on_the_host", "every curve of drift-sfda.json", "*");
  every_curve.exhaustive = true;
  return {enumerated("run.bits_that_differ_are_counted", "one element of every case, and none", "", "known kernels",
                     differences_are_counted),
          enumerated("run.altered_digests_of_a_device_are_found", "of inputs, of outputs, and no record at all", "",
                     "known kernels", altered_digests_are_found),
          enumerated("run.changed_sources_are_recomputed_whole", "some cases of a record, all if the source changed",
                     "", "known kernels", changed_sources_are_recomputed),
          drift_law("bits.errors_on_a_gpu_grow_as_on_the_host", "curves of a kernel that takes token after token",
                    "sfda.attention/decode.bf16"),
          every_case,
          every_curve};
}

}  // namespace assay
