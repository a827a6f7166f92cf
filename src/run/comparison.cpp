#include "run/comparison.hpp"

namespace assay {

Comparison compare(const Case& c, const Kernel& kernel, const Oracle& oracle, const Execution& execution) {
  Comparison found{.run = kernel.run(c, execution), .want = oracle.evaluate(c)};
  found.allowed = oracle.bound(c, kernel.contract, found.want);
  std::erase_if(found.want, [&](const auto& output) { return !kernel.limits.returns(*kernel.op->find(output.first)); });
  return found;
}

}  // namespace assay
