#include "properties/search.hpp"

#include <chrono>
#include <string>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>
#include <rapidcheck.h>
#include <rapidcheck/detail/TestListenerAdapter.h>

namespace assay {
namespace {

/// Sizes are drawn from these choices; RapidCheck shrinks each towards 0, the lower end of its size.
constexpr std::size_t choice_count = 16;

struct Found {
  std::uint32_t trials = 0;
  std::uint32_t rejected = 0;
  std::string counterexample;
  std::string witness;  ///< of the last trial that holds
};

/// A source of choices that does not grow with RapidCheck's size parameter.
rc::Gen<std::vector<std::uint64_t>> choices() {
  return rc::gen::container<std::vector<std::uint64_t>>(
      choice_count, rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::uint64_t>()));
}

std::string description(const Law& law, const Check& check, const Draw& draw, const std::string& why,
                        std::uint64_t seed, std::uint64_t trial) {
  const std::string sizes = draw.sizes_text();
  return fmt::format("{}\n  law     {}\n  over    {}\n  at      {}\n  seed    {}, trial {}", why, law.name,
                     check.arithmetic, sizes.empty() ? "no sizes" : sizes, seed, trial);
}

Found search_check(const Law& law, const Check& check, std::uint64_t seed, std::uint32_t trials) {
  Found found;
  std::uint64_t trial = 0;
  const auto property = [&] {
    const std::uint64_t number = *rc::gen::noShrink(rc::gen::exec([&] { return trial++; }));
    Draw draw(seed, law.name, number, *choices());
    const Outcome outcome = check.run(draw);
    if (outcome.kind == Outcome::Kind::rejected) RC_DISCARD(outcome.text);
    found.witness = outcome.text;
    if (outcome.kind == Outcome::Kind::holds) return;
    found.counterexample = description(law, check, draw, outcome.text, seed, number);
    RC_FAIL(outcome.text);
  };
  const rc::detail::TestParams params{.seed = seed, .maxSuccess = static_cast<int>(trials)};
  rc::detail::TestListenerAdapter silent;
  const std::unordered_map<std::string, rc::detail::Reproduce> no_replay;
  const rc::detail::TestResult result =
      rc::detail::checkTestable(property, rc::detail::TestMetadata{}, params, silent, no_replay);
  rc::detail::SuccessResult success;
  rc::detail::FailureResult failure;
  rc::detail::GaveUpResult gave_up;
  if (result.match(success)) found.trials = static_cast<std::uint32_t>(success.numSuccess);
  if (result.match(failure)) found.trials = static_cast<std::uint32_t>(failure.numSuccess) + 1;
  if (result.match(gave_up)) found.counterexample = "too few trials count: " + gave_up.description;
  return found;
}

}  // namespace

LawResult search(const Law& law, std::uint64_t seed, std::uint32_t trials) {
  const auto start = std::chrono::steady_clock::now();
  LawResult result{.trials = trials};
  for (const Check& check : law.checks) {
    const Found found = search_check(law, check, seed, trials);
    result.trials = std::min(result.trials, found.trials);
    result.text = found.witness;
    if (found.counterexample.empty()) continue;
    result.verdict = LawResult::Verdict::fail;
    result.text = found.counterexample;
    break;
  }
  result.log2_false_accept = law.log2_false_accept(result.trials);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace assay
