#include "properties/run/known_kernel.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "kernels/table.hpp"
#include "oracle/table.hpp"
#include "problem/operators/sanatan.hpp"

namespace assay {
namespace {

const Operator& op() { return operators::sanatan_feature_attention(); }

const Kernel& scan() {
  const auto is_scan = [](const Kernel& kernel) {
    return kernel.op == &op() && kernel.contract.algorithm == Algorithm::scan && kernel.contract.input == Format::f32;
  };
  const auto it = std::ranges::find_if(kernel_table(), is_scan);
  if (it == kernel_table().end()) throw std::logic_error("the table of kernels has no f32 scan from given features");
  return *it;
}

const Oracle& oracle() { return *std::ranges::find(oracle_table(), &op(), &Oracle::op); }

/// x moved by n places; a zero stays.
float moved(float x, std::int64_t n) {
  return x == 0 ? x : std::bit_cast<float>(static_cast<std::uint32_t>(std::bit_cast<std::uint32_t>(x) + n));
}

Run run_with(const KnownError& error, const Case& c) {
  Run run;
  for (const auto& [name, want] : oracle().evaluate(c)) {
    Tensor& out = run.outputs[name] = Tensor(Format::f32, want.shape);
    for (std::int64_t i = 0; i < out.count(); ++i)
      out.set(i, moved(static_cast<float>(want.hi[static_cast<std::size_t>(i)]), error(c, name, i)));
  }
  return run;
}

}  // namespace

Kernel known_kernel(const std::string& name, const KnownError& error) {
  Kernel kernel = scan();
  kernel.name = name;
  kernel.run = [error](const Case& c, const Execution&) { return run_with(error, c); };
  return kernel;
}

KnownError scattered(std::int64_t size, std::uint64_t stream) {
  return [=](const Case& c, const std::string& output, std::int64_t element) {
    // Philox has avalanche enough for one draw a key.
    Draw draw(c.seed ^ stream << 40, output, static_cast<std::uint64_t>(element));
    return size * (static_cast<std::int64_t>(draw.below(3)) - 1);
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
