#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "arith/rounding.hpp"
#include "kernels/table.hpp"
#include "oracle/table.hpp"
#include "problem/case_mix.hpp"
#include "problem/families.hpp"
#include "properties/enumerated.hpp"
#include "properties/run/laws.hpp"
#include "properties/same.hpp"
#include "run/evaluate.hpp"
#include "run/pooled_roundings.hpp"
#include "run/result.hpp"
#include "run/tables.hpp"
#include "run/truth.hpp"

namespace assay {
namespace {

constexpr int cases = 64;
constexpr std::int64_t least_length = 16;  ///< for the bound of a sum to exceed a unit in the last place
constexpr std::int64_t most_work = 100'000;

const Kernel& kernel_named(std::string_view name) { return *std::ranges::find(kernel_table(), name, &Kernel::name); }

/// What a run of cases of the plainest family finds: the row of one output, and how many cases pass.
struct Pool {
  Json row;
  int passed = 0;
};

Pool pool(const Kernel& kernel, const std::string& output) {
  const Tables tables{.oracles = oracle_table()};
  const Oracle& oracle = oracle_of(tables, *kernel.op);
  PooledRoundings pooled;
  Pool result;
  for (std::uint64_t seed = 0, met = 0; met < cases; ++seed) {
    const Family& family = *families_for(kernel).front();
    const Case sizes = make_sizes(kernel, family, seed);
    if (sizes.sizes[Axis::time] < least_length || work_of(sizes, kernel.contract.algorithm) > most_work) continue;
    const Case c = make_case(kernel, family, seed);
    ++met;
    const Evaluation e = evaluate(c, kernel, oracle, {});
    result.passed += e.judgement.verdict == Verdict::pass;
    pooled.take(result_json(e));
  }
  for (const Json& row : pooled.rows())
    if (row["output"] == output) result.row = row;
  return result;
}

/// The kernel with its outputs changed after each run.
Kernel changed(const Kernel& kernel, const std::function<void(const Case&, Tensors&)>& change) {
  Kernel other = kernel;
  other.run = [&kernel, change](const Case& c, const Execution& execution) {
    Execution with_sums = execution;
    with_sums.sums = true;
    Run run = kernel.run(c, with_sums);
    change(c, run.outputs);
    if (!execution.sums) taken_sums(run.outputs, *c.op);
    return run;
  };
  return other;
}

/// o truncated to bf16.
void truncate_output(const Case& c, Tensors& outputs) {
  const Tensor &N = outputs.at("N"), &D = outputs.at("D");
  Tensor& o = outputs.at("o");
  const float eps = static_cast<float>(c.parameter("normaliser") * c.parameter("eps"));
  for (std::int64_t i = 0; i < o.count(); ++i) {
    const float d = static_cast<float>(D.value(i / c.sizes[Axis::value])) + eps;
    o.set(i, round_to(bf16_format, static_cast<float>(N.value(i)) / d, Rounding::toward_zero));
  }
}

/// Every entry of S one unit nearer to zero: far below the bound of a long sum.
void shrink_state(const Case&, Tensors& outputs) {
  Tensor& S = outputs.at("S");
  for (std::int64_t i = 0; i < S.count(); ++i) S.set(i, std::nextafter(static_cast<float>(S.value(i)), 0.0f));
}

Outcome verdict_is(std::string_view what, const Pool& found, std::string_view verdict) {
  return holds_if(found.row.is_object() && found.row["verdict"] == verdict,
                  fmt::format("{}: {}", what, found.row.dump()));
}

Outcome biases() {
  const Kernel& bf16 = kernel_named("sanatan.feature_attention/scan.bf16");
  const Kernel& f32 = kernel_named("sanatan.feature_attention/scan.f32");
  const Pool shrunk = pool(changed(f32, shrink_state), "S");
  return all_of(
      {verdict_is("o to nearest", pool(bf16, "o"), "pass"),
       verdict_is("o truncated", pool(changed(bf16, truncate_output), "o"), "fail"),
       verdict_is("S as it is", pool(f32, "S"), "pass"), verdict_is("S one unit nearer to 0", shrunk, "fail"),
       holds_if(2 * shrunk.passed > cases, fmt::format("only {} cases pass with S nearer to 0", shrunk.passed))});
}

}  // namespace

std::vector<Law> run_roundings_laws() {
  return {
      enumerated("run.biased_roundings_are_seen",
                 "a truncated output, and a state one unit nearer to zero that most cases pass with, fail over a run; "
                 "the kernels themselves pass",
                 "", "cases", biases)};
}

}  // namespace assay
