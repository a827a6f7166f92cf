#include "cli/tables.hpp"

#include "kernels/table.hpp"
#include "oracle/table.hpp"
#include "properties/computations.hpp"
#include "properties/search.hpp"
#include "properties/table.hpp"

namespace assay::cli {

const Tables& tables() {
  static const Tables all{.kernels = kernel_table(),
                          .mutants = mutant_table(),
                          .oracles = oracle_table(),
                          .laws = law_table(),
                          .kernel_laws = kernel_law_table(),
                          .computations = computation_table(),
                          .try_law = [](const Law& law, std::uint64_t seed) { return search(law, seed, law.trials); }};
  return all;
}

}  // namespace assay::cli
