#include "properties/kernel_search.hpp"

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include <fmt/format.h>

#include "problem/case_mix.hpp"

namespace assay {
namespace {

const Oracle& oracle_for(const Kernel& kernel, std::span<const Oracle> oracles) {
  const auto it = std::ranges::find(oracles, kernel.op, &Oracle::op);
  if (it == oracles.end()) throw std::logic_error(fmt::format("operator '{}' has no oracle", kernel.op->name));
  return *it;
}

/// The first case at or after `seed` that is small enough.
Case small_case(const Kernel& kernel, const Family& family, std::uint64_t seed, std::size_t largest_bin) {
  while (work_bin_of(make_sizes(kernel, family, seed), kernel.contract.algorithm) > largest_bin) ++seed;
  return make_case(kernel, family, seed);
}

std::string counterexample(const KernelLaw& law, const Kernel& kernel, const Case& c, const std::string& why) {
  return fmt::format(
      "{}\n  law     {}\n  kernel  {}\n  case    {}, family {}, seed {}\n"
      "  replay  assay verify --law '{}' --kernel '{}' --family {} --cases 1 --seed {}",
      why, law.name, kernel.name, sizes_text(c), c.family, c.seed, law.name, kernel.name, c.family, c.seed);
}

}  // namespace

LawResult search(const KernelLaw& law, const Kernel& kernel, std::span<const Oracle> oracles, std::uint64_t seed,
                 const KernelTrials& wanted) {
  const auto start = std::chrono::steady_clock::now();
  const Oracle& oracle = oracle_for(kernel, oracles);
  const std::vector<const Family*> families = families_for(kernel);
  Draw seeds(seed, law.name, 0);
  // Laws begin with different families, so that few trials of many laws meet them all.
  const std::uint64_t first = seeds.below(families.size());
  const std::uint32_t trials = law.of_contract ? 1 : wanted.trials;
  LawResult result;
  for (std::uint64_t i = 0; i < 4 * families.size() && result.trials < trials; ++i) {
    const Family& family = *families[(first + i) % families.size()];
    const Case c = small_case(kernel, family, seeds.bits() >> 12, wanted.largest_bin);
    Draw draw(c.seed, law.name, 0);
    const Outcome outcome = try_law(law, {kernel, oracle, c, draw});
    if (outcome.kind == Outcome::Kind::rejected) {
      ++result.rejected;
      continue;
    }
    ++result.trials;
    if (outcome.kind == Outcome::Kind::holds) continue;
    result.verdict = LawResult::Verdict::fail;
    result.text = counterexample(law, kernel, c, outcome.text);
    break;
  }
  if (result.trials == 0) {
    result.verdict = LawResult::Verdict::fail;
    result.text = fmt::format("{}/{}: no case counts", law.name, kernel.name);
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace assay
