#include "kernels/table.hpp"

#include "kernels/host_builds.hpp"
#include "kernels/runner.hpp"

namespace assay {
namespace {

Kernel kernel_of(const Build& b) {
  return {.name = b.name,
          .op = b.op,
          .contract = b.contract,
          .limits = b.limits,
          .base = "",
          .over_fields = b.over_gf61 != nullptr,
          .run = [b](const Case& c, const Execution& execution) { return run_build(b, simt::Machine::host, c, execution); }};
}

}  // namespace

std::span<const Kernel> kernel_table() {
  static const std::vector<Kernel> kernels = [] {
    std::vector<Kernel> all;
    for (const Build& b : host_builds()) all.push_back(kernel_of(b));
    return all;
  }();
  return kernels;
}

std::span<const Kernel> mutant_table() { return {}; }

}  // namespace assay
