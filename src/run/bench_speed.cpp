#include "run/bench_speed.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <tuple>

#include "problem/case_mix.hpp"
#include "problem/families.hpp"
#include "problem/operators/sas_gradients.hpp"
#include "problem/sized_case.hpp"
#include "problem/transforms.hpp"
#include "run/isolated.hpp"
#include "run/shapes.hpp"

namespace assay {
namespace {

constexpr std::int64_t most_sets = 64;
constexpr const char* empty_kernel = "empty";

/// How a kernel is run.
struct Setting {
  CaseSize size;
  Runs runs = Runs::in_turn;

  auto key() const { return std::tuple(size.batch, size.tokens, runs); }
};

/// Kernels that take the same case in the same way.
struct Group {
  Setting setting;
  std::vector<Kernel> kernels;

  bool takes(const Kernel& kernel, const Setting& wanted) const {
    const Kernel& own = kernels.front();
    return own.op == kernel.op && own.contract.input == kernel.contract.input && setting.key() == wanted.key();
  }
};

bool composes(const Kernel& kernel) {
  return kernel.contract.algorithm == Algorithm::compose_in_order ||
         kernel.contract.algorithm == Algorithm::compose_as_tree;
}

std::vector<Setting> settings_of(const Kernel& kernel, const SpeedBench& bench) {
  const auto sized = [&](std::int64_t batch, std::int64_t tokens) {
    return CaseSize{
        .batch = batch, .tokens = tokens, .heads = bench.heads, .feature = bench.width, .value = bench.width};
  };
  if (kernel.limits.one_token)
    return {{sized(bench.decoded, 1), Runs::in_turn},
            {sized(bench.decoded, 1), Runs::again},
            {sized(1, 1), Runs::in_a_row}};
  if (composes(kernel)) return {{sized(1, bench.maps), Runs::in_turn}};
  if (!kernel.op->uses(Axis::group) || has_rows_of_tokens(*kernel.op))
    return {{sized(1, bench.tokens), Runs::in_turn}, {sized(bench.batch, bench.batch_tokens), Runs::in_turn}};
  std::vector<Setting> settings = {{sized(1, bench.tokens), Runs::in_turn},
                                   {sized(1, bench.long_context), Runs::in_turn}};
  for (const std::int64_t context : bench.contexts)
    if (!kernel.op->uses(Axis::block)) settings.push_back({sized(1, context), Runs::in_a_row});
  return settings;
}

std::vector<Group> groups_of(const SpeedBench& bench, std::span<const Kernel> kernels) {
  std::vector<Group> groups;
  for (const Kernel& kernel : kernels)
    for (const Setting& setting : settings_of(kernel, bench)) {
      auto it = std::ranges::find_if(groups, [&](const Group& group) { return group.takes(kernel, setting); });
      if (it == groups.end()) it = groups.insert(groups.end(), {setting, {}});
      it->kernels.push_back(kernel);
    }
  return groups;
}

Case plain_case(const Kernel& kernel, std::uint64_t seed, const CaseSize& size) {
  return make_case(kernel, *families_for(kernel).front(), seed, size);
}

/// The kernel of a forward pass whose results this one of a backward pass can take.
const Kernel& forward_of(const Kernel& kernel, std::span<const Kernel> kernels) {
  const Operator* const op = operators::forward_case({.op = kernel.op}).op;
  const auto it = std::ranges::find_if(
      kernels, [&](const Kernel& k) { return k.op == op && k.contract.input == kernel.contract.input; });
  if (it == kernels.end()) throw std::runtime_error(kernel.name + ": no kernel of " + std::string(op->name));
  return *it;
}

/// Of a backward pass, one query head a head of keys, with what the forward kernel stores: a family sums it in double,
/// which takes long.
Case backward_case(const Kernel& kernel, const Kernel& forward, const CaseSize& size) {
  Case c = plain_case(forward, 1, size);
  for (auto& [name, tensor] : forward.run(c, {}).outputs) c.inputs[name] = tensor;
  c.op = kernel.op;
  const Tensor v = plain_case(forward, 2, size).inputs.at("v");
  c.inputs["do"] = Tensor(v.format(), c.op->find("do")->shape(c.sizes));
  std::ranges::copy(v.bytes(), c.inputs["do"].bytes().begin());
  return c;
}

/// Of a decode step, with the states that a first step left.
Case case_of(const Group& group, std::span<const Kernel> kernels) {
  const Kernel& kernel = group.kernels.front();
  if (operators::is_backward(*kernel.op)) return backward_case(kernel, forward_of(kernel, kernels), group.setting.size);
  const Case c = plain_case(kernel, 1, group.setting.size);
  return kernel.limits.one_token ? resumed(c, kernel.run(c, {}).outputs) : c;
}

/// Of all arrays of one run; a final state that is written over the initial one has none of its own.
double bytes_of_arrays(const Case& c, const Tensors& outputs, bool in_place) {
  std::size_t bytes = 0;
  for (const auto& [name, tensor] : c.inputs) bytes += tensor.bytes().size();
  for (const auto& [name, tensor] : outputs) {
    const TensorSpec* const initial = c.op->initial_of(*c.op->find(name));
    if (!in_place || initial == nullptr || !c.has(initial->name)) bytes += tensor.bytes().size();
  }
  return static_cast<double>(bytes);
}

/// Sets of arrays that together hold twice what the cache does, one of them at least.
std::int64_t sets_beyond_cache(double bytes, const DeviceRates& rates, std::int64_t least) {
  const double sets = std::ceil(2 * static_cast<double>(rates.cache_bytes) / bytes);
  return std::clamp(static_cast<std::int64_t>(sets), least, most_sets);
}

std::int64_t count_not_finite(const Tensors& outputs) {
  std::int64_t count = 0;
  for (const auto& [name, tensor] : outputs)
    for (std::int64_t i = 0; i < tensor.count(); ++i) count += !std::isfinite(tensor.value(i));
  return count;
}

/// Times `number` runs; of runs in turn, one.
SpeedRow timed(SpeedRow row, const DeviceClock& clock, const std::function<void()>& run) {
  const TimedLaunches all = clock.time([&] {
    for (std::int64_t i = 0; i < row.number; ++i) run();
  });
  const auto of_all = static_cast<double>(row.runs == Runs::in_turn ? row.number : 1);
  row.launches = all.launches / row.number;
  row.events = all.events / of_all;
  row.graph = all.graph / of_all;
  row.spread = all.spread;
  return row;
}

struct Measurement {
  const SpeedBench& bench;
  const DeviceClock& clock;
  std::span<const Kernel> kernels;
  DeviceRates rates;

  std::int64_t number_of_runs(const Kernel& kernel, Runs runs, double bytes) const {
    if (runs == Runs::again) return 1;
    if (runs == Runs::in_a_row) return bench.layers;
    return sets_beyond_cache(bytes, rates, kernel.limits.one_token ? bench.least_sets : 1);
  }

  SpeedRow row_of(const Kernel& kernel, const Setting& setting, const Case& c) const {
    const Execution execution{.in_place = kernel.limits.in_place};
    const Tensors outputs = kernel.run(c, execution).outputs;
    SpeedRow row{.kernel = kernel.name, .shapes = shapes_json(c), .runs = setting.runs};
    row.number = number_of_runs(kernel, row.runs, bytes_of_arrays(c, outputs, execution.in_place));
    row.work = least_work(c, kernel.contract.algorithm, outputs);
    row.not_finite = count_not_finite(outputs);
    if (row.runs == Runs::in_turn) row.floor = floor_of(row.work, kernel.contract.product, rates);
    return timed(row, clock, [&] { kernel.run(c, execution); });
  }

  SpeedRow empty_row() const {
    const SpeedRow row{.kernel = empty_kernel, .runs = Runs::in_a_row, .number = bench.layers};
    return timed(row, clock, clock.launch_empty_kernel);
  }

  std::vector<SpeedRow> rows_of(const Group& group) const {
    const Case c = case_of(group, kernels);
    std::vector<SpeedRow> rows;
    for (const Kernel& kernel : group.kernels) rows.push_back(row_of(kernel, group.setting, c));
    return rows;
  }
};

/// Jobs in one process, a GPU having room for one measurement. Throws std::runtime_error with what a job says.
void run_alone(std::size_t jobs, const std::function<Json(std::size_t)>& job,
               const std::function<void(const Json&)>& take) {
  run_isolated(
      jobs, {.processes = 1}, [&](std::size_t i) { return job(i).dump(); },
      [&](std::size_t, const JobAnswer& answer) {
        if (answer.crashed) throw std::runtime_error(answer.text);
        take(Json::parse(answer.text));
        return true;
      });
}

DeviceRates rates_of(const DeviceClock& clock) {
  DeviceRates rates;
  run_alone(
      1, [&](std::size_t) { return rates_json(clock.rates()); }, [&](const Json& json) { rates = parse_rates(json); });
  return rates;
}

}  // namespace

Speeds bench_speed(const SpeedBench& bench, const Tables& tables, const DeviceClock& clock,
                   const std::function<void(std::size_t, std::size_t)>& progress) {
  Speeds speeds{.rates = rates_of(clock), .rows = {}};
  const std::vector<Group> groups = groups_of(bench, tables.kernels);
  const Measurement measurement{bench, clock, tables.kernels, speeds.rates};
  const std::size_t jobs = groups.size() + 1;
  std::size_t done = 0;
  const auto job = [&](std::size_t i) {
    return rows_json(i < groups.size() ? measurement.rows_of(groups[i]) : std::vector{measurement.empty_row()});
  };
  run_alone(jobs, job, [&](const Json& rows) {
    for (const Json& row : rows) speeds.rows.push_back(parse_speed_row(row));
    progress(++done, jobs);
  });
  return speeds;
}

}  // namespace assay
