#include <algorithm>

#include <fmt/format.h>

#include "judge/detectable_fault.hpp"
#include "judge/quantile.hpp"
#include "kernels/table.hpp"
#include "oracle/table.hpp"
#include "problem/case_mix.hpp"
#include "problem/families.hpp"
#include "properties/enumerated.hpp"
#include "properties/run/laws.hpp"
#include "properties/same.hpp"
#include "run/tables.hpp"
#include "run/truth.hpp"

namespace assay {
namespace {

constexpr std::size_t cases = 16;
constexpr std::int64_t most_work = 30'000;

/// The smallest detectable fault of small cases, from the least; 0 where everything is exact.
std::vector<double> faults_of(const Kernel& kernel, const Family& family) {
  const Tables tables{.oracles = oracle_table()};
  std::vector<double> faults;
  for (std::uint64_t seed = 0; faults.size() < cases; ++seed) {
    const Case sizes = make_sizes(kernel, family, seed);
    const std::int64_t work = work_of(sizes, kernel.contract.algorithm);
    if (work == 0 || work > most_work || sizes.sizes[Axis::time] < (kernel.limits.one_token ? 1 : 2)) continue;
    const Case c = make_case(kernel, family, seed);
    const Truth truth = truth_for(c, kernel, oracle_of(tables, *kernel.op));
    double fault = 0;
    for (const auto& [name, want] : truth.want) {
      std::vector<double> of_output = detectable_faults(want, truth.allowed.at(name));
      fault = std::max(fault, quantile(of_output, 0.5));
    }
    faults.push_back(fault);
  }
  std::ranges::sort(faults);
  return faults;
}

/// Of one kernel: each family it lists is one of its operator's, and reaches a quarter of what the contract says.
Outcome lists_truly(const Kernel& kernel) {
  if (kernel.contract.ill_conditioned.empty()) return Outcome::holds();
  const double plain = faults_of(kernel, *families_for(kernel).front())[cases / 2];
  FirstFailure found;
  for (const auto& [family, amplification] : kernel.contract.ill_conditioned) {
    const double most = faults_of(kernel, family_named(*kernel.op, std::string(family))).back();
    found.note(holds_if(4 * most >= amplification * plain,
                        fmt::format("{} x {}: a fault of {:.3g} is {:.3g} times that of the plainest family, {} listed",
                                    kernel.name, family, most, most / plain, amplification)));
  }
  return found.outcome();
}

Outcome all_list_truly() {
  FirstFailure found;
  for (const Kernel& kernel : kernel_table()) found.note(lists_truly(kernel));
  return found.outcome();
}

}  // namespace

std::vector<Law> run_conditioning_laws() {
  return {enumerated("run.ill_conditioned_families_magnify_roundings",
                     "a family that a contract lists makes the smallest detectable fault as much larger as it says", "",
                     "double-double", all_list_truly)};
}

}  // namespace assay
