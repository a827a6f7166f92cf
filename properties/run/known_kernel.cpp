#include "properties/run/known_kernel.hpp"

#include <algorithm>

#include "oracle/table.hpp"
#include "problem/operators/sanatan.hpp"

namespace assay {
namespace {

const Operator& op() { return operators::sanatan_feature_attention(); }

/// Everything but the output is rounded to bf16: errors of some units in the last place of f32 are far within the
/// bound.
Contract loose_contract() {
  return {.algorithm = Algorithm::chunk,
          .features = Format::bf16,
          .weights = Format::bf16,
          .state_operand = Format::bf16,
          .chunk = 16,
          .update_height = 1 << 12};
}

const Oracle& oracle() { return *std::ranges::find(oracle_table(), &op(), &Oracle::op); }

Run run_with(const KnownError& error, const Case& c) {
  Run run;
  for (const auto& [name, want] : oracle().evaluate(c)) {
    Tensor& out = run.outputs[name] = Tensor(Format::f32, want.shape);
    for (std::size_t i = 0; i < want.hi.size(); ++i)
      out.set(static_cast<std::int64_t>(i), static_cast<float>(want.hi[i] + error(c, name, want, i)));
  }
  return run;
}

}  // namespace

Kernel known_kernel(const std::string& name, const KnownError& error) {
  return {.name = name,
          .op = &op(),
          .contract = loose_contract(),
          .limits = {.ragged = false},
          .run = [error](const Case& c, const Execution&) { return run_with(error, c); }};
}

KnownError scattered(int places, std::uint64_t stream) {
  return [=](const Case& c, const std::string& output, const Reference& want, std::size_t i) {
    Draw draw(c.seed ^ stream << 40, output, i);
    return places * (static_cast<double>(draw.below(3)) - 1) * 0x1p-23 * want.hi[i];
  };
}

Tables tables_with(std::span<const Kernel> kernels) {
  return {.kernels = kernels,
          .mutants = {},
          .oracles = oracle_table(),
          .laws = {},
          .kernel_laws = {},
          .computations = {},
          .try_law = {}};
}

}  // namespace assay
