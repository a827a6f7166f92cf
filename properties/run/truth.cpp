#include "run/truth.hpp"

#include <algorithm>

#include "kernels/table.hpp"
#include "oracle/table.hpp"
#include "problem/case_mix.hpp"
#include "properties/enumerated.hpp"
#include "properties/run/laws.hpp"
#include "properties/same.hpp"
#include "run/tables.hpp"

namespace assay {
namespace {

const Kernel& kernel_of(std::string_view name) { return *std::ranges::find(kernel_table(), name, &Kernel::name); }

/// Outputs down to 1e-33 of columns that were far larger.
Outcome small_outputs_are_decided() {
  const Kernel& kernel = kernel_of("delta.attention/chunk_wy.f32");
  const Case c = make_case(kernel, family_named(*kernel.op, "one_hot"), 1796372698416173);
  const Oracle& oracle = oracle_of({.oracles = oracle_table()}, *kernel.op);
  const auto coarse = [](const References& want, const Allowances& allowed) {
    std::size_t count = 0;
    for (const auto& [output, reference] : want)
      for (std::size_t i = 0; i < reference.radius.size(); ++i)
        count += reference.radius[i] > 0x1p-10 * allowed.at(output).statistical[i];
    return count;
  };
  const Truth truth = truth_for(c, kernel, oracle);
  return all_of({holds_if(coarse(oracle.evaluate(c), truth.allowed) > 0, "the case has no coarse radius"),
                 holds_if(coarse(truth.want, truth.allowed) == 0, "radii beyond 2^-10 of P are left")});
}

}  // namespace

std::vector<Law> run_truth_laws() {
  return {enumerated("run.radii_beside_the_bound_are_refined",
                     "a short case of the delta rule whose radius is not small beside P is evaluated at 50 digits", "",
                     "MPFR, 50 digits", small_outputs_are_decided)};
}

}  // namespace assay
