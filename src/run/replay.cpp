#include "run/replay.hpp"

#include "run/collector.hpp"
#include "run/isolated.hpp"
#include "run/result.hpp"
#include "run/trial.hpp"

namespace assay {

Json replay(const StoredCase& stored, const std::string& folder, const std::vector<const Kernel*>& kernels,
            const KernelLaw* law, const Tables& tables, const std::function<void(const std::string&)>& told) {
  const auto trial = [&](std::size_t i) {
    return Trial{*kernels[i],
                 stored.c,
                 law,
                 {.schedule = stored.c.seed | 1, .checked = true},
                 replay_command(folder, *kernels[i], stored)};
  };
  Collector collector(true);
  run_isolated(
      kernels.size(), {}, [&](std::size_t i) { return try_case(trial(i), oracle_of(tables, *stored.c.op), {}).dump(); },
      [&](std::size_t i, const JobAnswer& answer) {
        const Json json = answer.crashed ? crashed_answer(trial(i), answer.text, {}) : Json::parse(answer.text);
        if (const std::string text = collector.take(*kernels[i], stored.c.family, law, json); !text.empty()) told(text);
        return true;
      });
  return collector.body({}, kernels.size());
}

}  // namespace assay
