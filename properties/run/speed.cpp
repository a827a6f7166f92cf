#include <algorithm>
#include <set>

#include "kernels/table.hpp"
#include "problem/operators/sas.hpp"
#include "problem/operators/sas_gradients.hpp"
#include "properties/enumerated.hpp"
#include "properties/run/laws.hpp"
#include "properties/same.hpp"
#include "run/bench_speed.hpp"

namespace assay {
namespace {

using enum Axis;

constexpr DeviceRates rates{
    .copied_bytes = 1000, .fma_operations = 100, .tf32_operations = 600, .bf16_operations = 800, .cache_bytes = 1};

constexpr double pass_seconds = 6;  // of everything that a clock is given

/// A clock for which whatever is launched takes the same time.
DeviceClock still_clock() {
  return {.rates = [] { return rates; },
          .time =
              [](const std::function<void()>& launch) {
                launch();
                return TimedLaunches{.launches = 6, .events = 2 * pass_seconds, .graph = pass_seconds, .spread = 0};
              },
          .launch_empty_kernel = [] {}};
}

SpeedBench small_bench() {
  return {.heads = 1,
          .width = 8,
          .tokens = 20,
          .batch = 2,
          .batch_tokens = 5,
          .maps = 3,
          .decoded = 2,
          .layers = 3,
          .least_sets = 2,
          .contexts = {7},
          .long_context = 70};
}

/// A time of one run in turn, of all runs otherwise; a floor where arrays come from memory, and only there.
Outcome row_is_consistent(const SpeedRow& row) {
  const bool in_turn = row.runs == Runs::in_turn;
  const auto runs = static_cast<double>(in_turn ? row.number : 1);
  return all_of({same(row.kernel + ": a floor", row.floor.has_value(), in_turn),
                 same(row.kernel + ": seconds", row.graph, pass_seconds / runs),
                 same(row.kernel + ": launches", row.launches, 6 / row.number),
                 holds_if(!in_turn || row.floor->seconds > 0, row.kernel + ": a floor of nothing")});
}

Outcome rows_of_every_kernel() {
  const Tables tables{.kernels = kernel_table()};
  const Speeds speeds = bench_speed(small_bench(), tables, still_clock(), [](std::size_t, std::size_t) {});
  std::map<std::string, std::set<Runs>> found;
  FirstFailure failure;
  for (const SpeedRow& row : speeds.rows) {
    found[row.kernel].insert(row.runs);
    failure.note(row_is_consistent(row));
  }
  for (const Kernel& kernel : kernel_table()) {
    const std::size_t ways = kernel.limits.one_token ? 3 : kernel.op == &operators::softmax_decode() ? 2 : 1;
    failure.note(same(kernel.name + ": ways of running", found[kernel.name].size(), ways));
  }
  failure.note(same("launches of nothing", found["empty"].size(), std::size_t(1)));
  return failure.outcome();
}

Outcome rows_return_from_json() {
  const SpeedRow row{.kernel = "k",
                     .shapes = {{"T", 3}},
                     .runs = Runs::again,
                     .number = 4,
                     .launches = 2,
                     .work = {.bytes = 5, .operations = 6},
                     .events = 7,
                     .graph = 8,
                     .spread = 9,
                     .floor = SpeedFloor{2, "copy"},
                     .not_finite = 1};
  const Json json = rows_json({row});
  return all_of({same("a row", rows_json({parse_speed_row(json[0])}).dump(), json.dump()),
                 same("ratio", json[0]["floor"]["ratio"].get<double>(), 4.0),
                 same("rates", rates_json(parse_rates(rates_json(rates))).dump(), rates_json(rates).dump())});
}

Outcome floor_is(const LeastWork& work, Product product, const SpeedFloor& want) {
  const SpeedFloor got = floor_of(work, product, rates);
  return all_of({same("seconds", got.seconds, want.seconds), same("by", got.by, want.by)});
}

Outcome larger_of_two_times() {
  return all_of({floor_is({.bytes = 3000, .operations = 200}, Product::fma, {3, "copy"}),
                 floor_is({.bytes = 1000, .operations = 200}, Product::fma, {2, "fma"}),
                 floor_is({.bytes = 1000, .operations = 1200}, Product::tf32, {2, "mma.sync tf32"}),
                 floor_is({.bytes = 1000, .operations = 1200}, Product::three_tf32, {6, "mma.sync tf32"}),
                 floor_is({.bytes = 1000, .operations = 1600}, Product::bf16, {2, "mma.sync bf16"}),
                 floor_is({.bytes = 1000, .operations = 0}, Product::bf16, {1, "copy"})});
}

/// T = 5, one head, d = 2, dv = 3; k and v in f32.
Case small_attention(const Operator& op) {
  Case c{.op = &op};
  c.sizes[Axis::time] = 5;
  c.sizes[feature] = 2;
  c.sizes[value] = 3;
  c.inputs["k"] = Tensor(Format::f32, {1, 5, 1, 2});
  c.inputs["v"] = Tensor(Format::f32, {1, 5, 1, 3});
  return c;
}

/// Blocks of two tokens, one selected a row: 7 is none.
Case small_selection(const Operator& op, const std::vector<std::int64_t>& selected) {
  Case c = small_attention(op);
  c.parameters["b"] = 2;
  c.inputs["selected"] = Tensor(Format::i64, {1, static_cast<std::int64_t>(selected.size()), 1, 1});
  std::ranges::copy(selected, c.inputs["selected"].as<std::int64_t>().begin());
  return c;
}

Outcome work_by_hand() {
  const Case dense = small_attention(operators::softmax_attention());
  const Case backward = small_attention(operators::softmax_gradients());
  const Case rows = small_selection(operators::sas_attention(), {7, 7, 0, 7, 0});
  const Case query = small_selection(operators::sas_decode(), {1});
  const auto operations = [](const Case& c) { return least_work(c, Algorithm::parallel, {}).operations; };
  return all_of({same("keys of five rows", keys_read(dense), 15.0), same("operations", operations(dense), 150.0),
                 same("of gradients", operations(backward), 360.0),
                 same("keys of selected blocks", keys_read(rows), 1.0 + 2 + 3 + 2 + 3),
                 same("keys of a query", keys_read(query), 3.0),
                 same("bytes", least_work(dense, Algorithm::parallel, {}).bytes, 100.0),
                 same("bytes of a query", least_work(query, Algorithm::decode, {}).bytes, 60.0 + 8)});
}

}  // namespace

std::vector<Law> run_speed_laws() {
  return {enumerated("run.speed_rows_are_there_for_every_kernel", "in every way that it can be run", "", "host",
                     rows_of_every_kernel),
          enumerated("run.speed_rows_return_from_json", "rows and rates", "", "text", rows_return_from_json),
          enumerated("run.floor_is_the_larger_of_two_times", "bytes and operations over their rates", "", "float64",
                     larger_of_two_times),
          enumerated("run.least_work_is_what_is_read_and_summed",
                     "of dense attention, its gradients and selected blocks", "", "counts", work_by_hand)};
}

}  // namespace assay
