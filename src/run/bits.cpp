#include "run/bits.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "problem/case_mix.hpp"
#include "run/digest.hpp"
#include "run/evaluate.hpp"
#include "run/isolated.hpp"
#include "run/source_digest.hpp"

namespace assay {
namespace {

constexpr std::uint64_t launches_of_any_order = 20;
constexpr double seconds_per_case = 120;

const Execution on_host{};
const Execution on_device{.machine = Execution::Machine::device};

/// Sixteen digits for the inputs of a case and sixteen for the outputs.
std::string case_digest(const Case& c, const Tensors& outputs) {
  return digest_text(digest(c.inputs)) + digest_text(digest(outputs));
}

std::uint64_t elements_of(const Tensors& tensors) {
  std::uint64_t all = 0;
  for (const auto& [name, tensor] : tensors) all += static_cast<std::uint64_t>(tensor.count());
  return all;
}

/// "output o, element 17: 0x1.8p+0 on the host, 0x1.8p+1 on the device", and how many differ.
struct Differences {
  std::uint64_t count = 0;
  std::string first;
};

Differences differences(const Tensors& host, const Tensors& device) {
  Differences found;
  for (const auto& [name, tensor] : host) {
    const Tensor& other = device.at(name);
    for (std::int64_t i = 0; i < tensor.count(); ++i) {
      const double a = tensor.value(i), b = other.value(i);
      if (a == b ? std::signbit(a) == std::signbit(b) : std::isnan(a) && std::isnan(b)) continue;
      if (found.count++ == 0)
        found.first = fmt::format("output {}, element {}: {:a} on the host, {:a} on the device", name, i, a, b);
    }
  }
  return found;
}

Json compared(const Kernel& kernel, const Case& c) {
  const Tensors host = kernel.run(c, on_host).outputs;
  Differences found;
  try {
    found = differences(host, kernel.run(c, on_device).outputs);
  } catch (const KernelError& error) {
    found = {elements_of(host), error.what()};
  }
  return {{"digest", case_digest(c, host)},
          {"elements", elements_of(host)},
          {"differing", found.count},
          {"text", found.first}};
}

/// Launches that are not within their bounds.
Json judged(const Kernel& kernel, const Case& c, const Oracle& oracle) {
  Kernel device = kernel;
  device.run = [&](const Case& input, Execution execution) {
    execution.machine = Execution::Machine::device;
    return kernel.run(input, execution);
  };
  std::uint64_t failing = 0;
  std::string text;
  for (std::uint64_t launch = 0; launch < launches_of_any_order; ++launch) {
    const Evaluation e = evaluate(c, device, oracle, {.one_run = true});
    if (e.judgement.verdict != Verdict::fail) continue;
    ++failing;
    text = fmt::format("launch {}: {}", launch, e.text.empty() ? e.judgement.worst.output : e.text);
  }
  return {{"failing", failing}, {"text", text}};
}

bool in_any_order(const Kernel& kernel) { return kernel.contract.repeats == Repeats::never; }

Json row_of(const Kernel& kernel, const BitsPlan& plan) {
  if (in_any_order(kernel))
    return {{"kernel", kernel.name},
            {"repeats", "never"},
            {"launches", launches_of_any_order * plan.cases},
            {"failing", 0}};
  return {{"kernel", kernel.name},
          {"source_digest", digest_text(source_digest(plan.source_tree, source_file(kernel)))},
          {"seed", plan.seed},
          {"cases", plan.cases},
          {"elements", 0},
          {"differing", 0},
          {"digests", std::vector<std::string>(plan.cases)}};
}

void add(Json& row, const char* key, const Json& more) {
  row[key] = row[key].get<std::uint64_t>() + more.get<std::uint64_t>();
}

Json summary_of(const Json& rows) {
  Json summary = {{"kernels", rows.size()}, {"cases", 0}, {"elements", 0}, {"differing", 0}, {"failing", 0}};
  for (const Json& row : rows)
    for (const char* key : {"cases", "elements", "differing", "failing"})
      if (row.contains(key)) add(summary, key, row[key]);
  return summary;
}

/// Whether the folder lists the kernel as one whose record has yet to be made.
bool is_excepted(const Kernel& kernel, const std::filesystem::path& folder) {
  const auto file = folder / "exceptions.toml";
  if (!std::filesystem::exists(file)) return false;
  const toml::table table = toml::parse_file(file.string());
  const toml::array* const rows = table["exception"].as_array();
  return rows != nullptr && std::ranges::any_of(*rows, [&](const toml::node& row) {
           return row.as_table() != nullptr && (*row.as_table())["kernel"].value_or(std::string()) == kernel.name;
         });
}

/// The row of a kernel in the folder's records; null where there is none.
Json recorded_row(const Kernel& kernel, const std::filesystem::path& folder) {
  const auto file = folder / fmt::format("bits-{}.json", kernel.op->paper);
  if (!std::filesystem::exists(file)) return nullptr;
  for (const Json& row : read_record(file)["rows"])
    if (row["kernel"] == kernel.name) return row;
  return nullptr;
}

}  // namespace

Case bits_case(const Kernel& kernel, std::uint64_t seed, std::size_t i) {
  std::vector<const Family*> families = families_for(kernel);
  std::erase_if(families, [](const Family* family) { return family->standard == Standard::field; });
  return make_case(kernel, *families[i % families.size()], Draw(seed, "bits", i).bits() >> 11);
}

Json compare_machines(const BitsPlan& plan, const Tables& tables,
                      const std::function<void(std::size_t, std::size_t)>& progress) {
  Json rows = Json::array(), found = Json::array();
  for (const Kernel* kernel : plan.kernels) rows.push_back(row_of(*kernel, plan));
  const std::size_t jobs = plan.kernels.size() * plan.cases;
  const auto case_of = [&](std::size_t job) {
    return bits_case(*plan.kernels[job / plan.cases], plan.seed, job % plan.cases);
  };
  const auto run = [&](std::size_t job) {
    const Kernel& kernel = *plan.kernels[job / plan.cases];
    const Case c = case_of(job);
    return (in_any_order(kernel) ? judged(kernel, c, oracle_of(tables, *kernel.op)) : compared(kernel, c)).dump();
  };
  std::size_t done = 0;
  run_isolated(jobs, {.seconds_per_job = seconds_per_case}, run, [&](std::size_t job, const JobAnswer& answer) {
    Json& row = rows[job / plan.cases];
    const char* const wrong = row.contains("repeats") ? "failing" : "differing";
    const Json one = answer.crashed ? Json{{wrong, 1}, {"text", answer.text}} : Json::parse(answer.text);
    if (one.contains("digest")) row["digests"][job % plan.cases] = one["digest"];
    for (const char* key : {"elements", "differing", "failing"})
      if (one.contains(key)) add(row, key, one[key]);
    if (one[wrong] != 0) {
      const Case c = case_of(job);
      found.push_back({{"kernel", row["kernel"]}, {"family", c.family}, {"seed", c.seed}, {"text", one["text"]}});
    }
    progress(++done, jobs);
    return true;
  });
  return {{"summary", summary_of(rows)}, {"rows", rows}, {"differences", found}};
}

RecordedBits recompute_bits(const Kernel& kernel, const DeviceRecords& records, std::size_t most) {
  if (is_excepted(kernel, records.folder)) return {};
  const std::string remedy = "run scripts/gpu.sh bits on a GPU and commit its record";
  const Json row = recorded_row(kernel, records.folder);
  if (row.is_null())
    return {.wrong = fmt::format("{}: no record of a device in {}: {}", kernel.name, records.folder.string(), remedy)};
  const std::size_t recorded = row["digests"].size();
  const bool changed = row["source_digest"] != digest_text(source_digest(records.source_tree, source_file(kernel)));
  RecordedBits bits{.cases = changed ? recorded : std::min(most, recorded)};
  for (std::size_t n = 0; n < bits.cases; ++n) {
    const std::size_t i = n * recorded / bits.cases;
    const Case c = bits_case(kernel, row["seed"].get<std::uint64_t>(), i);
    const std::string now = case_digest(c, kernel.run(c, on_host).outputs), then = row["digests"][i];
    if (now == then) continue;
    const bool same_inputs = now.substr(0, now.size() / 2) == then.substr(0, then.size() / 2);
    bits.wrong = fmt::format("{}: case {} of the record (family {}, seed {}) {}: {}", kernel.name, i, c.family, c.seed,
                             same_inputs ? "has other bits than on the device" : "has other inputs now", remedy);
    break;
  }
  return bits;
}

}  // namespace assay
