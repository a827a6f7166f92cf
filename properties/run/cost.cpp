#include "kernels/table.hpp"
#include "oracle/table.hpp"
#include "problem/case_mix.hpp"
#include "problem/families.hpp"
#include "properties/enumerated.hpp"
#include "properties/run/laws.hpp"
#include "properties/same.hpp"
#include "run/evaluate.hpp"
#include "run/tables.hpp"

namespace assay {
namespace {

/// The first small case that is not empty.
Case case_with_work(const Kernel& kernel) {
  for (std::uint64_t seed = 0;; ++seed) {
    const Case c = make_case(kernel, *families_for(kernel).front(), seed);
    const std::int64_t work = work_of(c, kernel.contract.algorithm);
    if (work > 0 && work < 100'000) return c;
  }
}

Outcome cost_is_work() {
  const Tables tables{.kernels = kernel_table(), .oracles = oracle_table()};
  FirstFailure found;
  for (const Kernel& kernel : kernel_table()) {
    const Case c = case_with_work(kernel);
    const Evaluation plain = evaluate(c, kernel, oracle_of(tables, *kernel.op), {});
    const Evaluation scheduled = evaluate(c, kernel, oracle_of(tables, *kernel.op), {.schedule = 5});
    const Evaluation checked = evaluate(c, kernel, oracle_of(tables, *kernel.op), {.checked = true});
    const auto work = static_cast<std::uint64_t>(work_of(c, kernel.contract.algorithm));
    found.note(same(kernel.name, plain.multiply_adds, 2 * work));
    found.note(same(kernel.name + " with a schedule", scheduled.multiply_adds, 2 * work));
    found.note(same(kernel.name + " checked", checked.multiply_adds, 3 * work));
  }
  return found.outcome();
}

}  // namespace

std::vector<Law> run_cost_laws() {
  return {enumerated("run.cost_is_the_work_of_every_execution",
                     "multiply-adds are those of the algorithm, scalar or of tiles, once an execution", "", "cases",
                     cost_is_work)};
}

}  // namespace assay
