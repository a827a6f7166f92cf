#include "problem/families.hpp"
#include "properties/kernels/laws.hpp"
#include "properties/kernels/outputs.hpp"

namespace assay {
namespace {

Outcome judged(const KernelTrial& trial) { return meets_its_standard(trial, trial.input); }

std::function<bool(const Case&)> held_against(Standard standard) {
  return [standard](const Case& c) { return c.standard == standard; };
}

/// Whether a family of the kernel's operator has this standard.
std::function<bool(const Kernel&)> meets(Standard standard) {
  return [standard](const Kernel& kernel) {
    for (const Family* family : families_for(kernel))
      if (family->standard == standard) return true;
    return false;
  };
}

KernelLaw law_of(std::string_view name, std::string_view statement, Standard standard) {
  return {.name = name,
          .statement = statement,
          .covers = meets(standard),
          .covers_case = held_against(standard),
          .check = judged,
          .is_judgement = true};
}

}  // namespace

std::vector<KernelLaw> kernels_standard_laws() {
  return {law_of("kernel.is_within_bound", "no element errs by more than its bound", Standard::bound),
          law_of("kernel.is_bit_exact_on_exact_inputs", "where no rounding can happen, outputs are the oracle's values",
                 Standard::exact),
          law_of("kernel.equals_its_definition_over_fields",
                 "outputs over GF(2^61-1) and GF(2^31-1) are the definition's", Standard::field)};
}

}  // namespace assay
