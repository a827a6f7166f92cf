#include "run/bench_kernels.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <tuple>

#include <fmt/format.h>
#include <sys/resource.h>

#include "judge/verdict.hpp"
#include "problem/case_mix.hpp"
#include "problem/families.hpp"
#include "problem/sized_case.hpp"
#include "problem/token_by_token.hpp"
#include "run/isolated.hpp"
#include "run/truth.hpp"

namespace assay {
namespace {

/// What the kernels that share a case have in common.
struct Variant {
  const Operator* op;
  Format input;
  std::int64_t channels, power, tokens;

  auto key() const { return std::tuple(op->name, input, channels, power, tokens); }
};

/// Kernels on one case.
struct Group {
  Variant variant;
  std::vector<Kernel> kernels;
  std::int64_t work = 0;
};

/// Whether the operator is the whole layer: what is learned is among its inputs.
bool is_layer(const Operator& op) {
  return std::ranges::any_of(op.tensors, [](const TensorSpec& spec) { return spec.role == Role::parameter; });
}

std::int64_t tokens_of(const Kernel& kernel, std::int64_t channels, std::int64_t power, const KernelBench& bench) {
  if (kernel.limits.one_token) return bench.decoded_tokens;
  return is_layer(*kernel.op) && channels == 6 && power <= 2 ? bench.tokens : bench.variant_tokens;
}

CaseSize size_of(const Variant& variant, const KernelBench& bench) {
  return {.tokens = variant.tokens, .heads = bench.heads, .feature = bench.width, .value = bench.width};
}

/// The kernel, held to one number of channels and one power.
Kernel narrowed(const Kernel& kernel, std::int64_t channels, std::int64_t power) {
  Kernel one = kernel.limits.one_token ? token_by_token(kernel) : kernel;
  one.limits.channels = {channels};
  one.limits.powers = {power};
  return one;
}

/// The double sum of a layer has every number of channels and power, all else the published six channels and p = 1.
std::vector<std::pair<std::int64_t, std::int64_t>> variants_of(const Kernel& kernel) {
  if (kernel.contract.algorithm != Algorithm::parallel || !is_layer(*kernel.op))
    return {{kernel.limits.channels.front(), kernel.limits.powers.front()}};
  std::vector<std::pair<std::int64_t, std::int64_t>> all;
  for (const std::int64_t channels : kernel.limits.channels)
    for (const std::int64_t power : kernel.limits.powers) all.emplace_back(channels, power);
  return all;
}

Case case_of(const Group& group, const KernelBench& bench) {
  const Kernel& kernel = group.kernels.front();
  return make_case(kernel, *families_for(kernel).front(), 1, size_of(group.variant, bench));
}

void add(std::vector<Group>& groups, const Kernel& kernel, const Variant& variant, const KernelBench& bench) {
  const auto same = [&](const Group& g) { return g.variant.key() == variant.key(); };
  auto it = std::ranges::find_if(groups, same);
  if (it == groups.end()) it = groups.insert(groups.end(), {variant, {}, 0});
  it->kernels.push_back(kernel);
  const Case c = make_sizes(kernel, *families_for(kernel).front(), 1, size_of(variant, bench));
  it->work += work_of(c, kernel.contract.algorithm);
}

/// The most work first, so that no process is left alone with much at the end.
std::vector<Group> groups_of(const KernelBench& bench, std::span<const Kernel> kernels) {
  std::vector<Group> groups;
  for (const Kernel& kernel : kernels)
    for (const auto& [channels, power] : variants_of(kernel))
      add(groups, narrowed(kernel, channels, power),
          {kernel.op, kernel.contract.input, channels, power, tokens_of(kernel, channels, power, bench)}, bench);
  std::ranges::stable_sort(groups, std::greater(), &Group::work);
  return groups;
}

std::string variant_text(const Variant& v) {
  return fmt::format("T = {}, {} channels, p = {}", v.tokens, v.channels, v.power);
}

std::uint64_t peak_bytes() {
  rusage usage;
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

BenchRow kernel_row(const Kernel& kernel, const Variant& variant, const Case& c, const Oracle& oracle,
                    References want) {
  Tensors outputs;
  Allowances allowed;
  Judgement judgement;
  const double run = fastest_seconds(1, [&] { outputs = kernel.run(c, {}).outputs; });
  const double bound = fastest_seconds(1, [&] { allowed = oracle.bound(c, kernel.contract, want); });
  keep_what_is_returned(want, kernel);
  const double judged = fastest_seconds(1, [&] { judgement = judge(outputs, want, allowed); });
  if (judgement.verdict == Verdict::fail)
    throw std::runtime_error(
        fmt::format("{}: fails at the size of the benchmark: {}", kernel.name, name_of(judgement.rule)));
  return {.name = fmt::format("{}, {}", kernel.name, variant_text(variant)),
          .seconds = run + bound + judged,
          .unit = "layer",
          .reference = {},
          .peak_bytes = peak_bytes(),
          .text = fmt::format("run {:.2f} s, bound {:.2f} s, judgement {:.2f} s; largest slack {:.2f}", run, bound,
                              judged, judgement.slack.max)};
}

std::vector<BenchRow> rows_of(const Group& group, const KernelBench& bench, const Tables& tables) {
  const Oracle& oracle = oracle_of(tables, *group.variant.op);
  const Case c = case_of(group, bench);
  References want;
  const double seconds = fastest_seconds(1, [&] { want = oracle.evaluate(c); });
  std::vector<BenchRow> rows = {{.name = fmt::format("{} oracle, {}, {}", group.variant.op->name,
                                                     name_of(group.variant.input), variant_text(group.variant)),
                                 .seconds = seconds,
                                 .unit = "layer",
                                 .reference = {},
                                 .peak_bytes = peak_bytes(),
                                 .text = ""}};
  for (const Kernel& kernel : group.kernels) {
    const bool last = &kernel == &group.kernels.back();
    rows.push_back(kernel_row(kernel, group.variant, c, oracle, last ? std::move(want) : want));
  }
  return rows;
}

}  // namespace

std::vector<BenchRow> bench_kernels(const KernelBench& bench, const Tables& tables,
                                    const std::function<void(std::size_t, std::size_t)>& progress) {
  const std::vector<Group> groups = groups_of(bench, tables.kernels);
  std::vector<std::vector<BenchRow>> found(groups.size());
  std::size_t done = 0;
  const auto job = [&](std::size_t i) { return bench_json(rows_of(groups[i], bench, tables)).dump(); };
  run_isolated(groups.size(), {}, job, [&](std::size_t i, const JobAnswer& answer) {
    if (answer.crashed) throw std::runtime_error(answer.text);
    const Json body = Json::parse(answer.text);
    for (const Json& row : body["rows"]) found[i].push_back(parse_row(row));
    progress(++done, groups.size());
    return true;
  });
  std::vector<BenchRow> rows;
  for (const auto& of_group : found) rows.insert(rows.end(), of_group.begin(), of_group.end());
  return rows;
}

}  // namespace assay
