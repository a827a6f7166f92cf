#include "properties/simt/device/recorded_laws.hpp"

#include "properties/enumerated.hpp"
#include "properties/simt/kernels/recorded.hpp"
#include "run/isolated.hpp"
#include "simt/device/description.hpp"

namespace assay {
namespace {

/// In a process of its own: one that has used a GPU must not be forked.
JobAnswer answer_of(const std::function<std::string()>& job) {
  JobAnswer answer;
  run_isolated(
      1, {.processes = 1, .seconds_per_job = 60}, [&](std::size_t) { return job(); },
      [&](std::size_t, const JobAnswer& told) {
        answer = told;
        return true;
      });
  return answer;
}

Outcome nothing_wrong(std::string (*wrong)()) {
  const JobAnswer gpu = answer_of([] { return simt::describe_device().name; });
  if (gpu.crashed) return Outcome::rejected(gpu.text);
  const JobAnswer answer = answer_of(wrong);
  return answer.text.empty() ? Outcome::holds() : Outcome::fails(answer.text);
}

Law law(std::string_view name, std::string_view statement, std::string (*wrong)()) {
  return enumerated(name, statement, "", "GPU", [wrong] { return nothing_wrong(wrong); });
}

}  // namespace

std::vector<Law> recorded_launches_laws() {
  using namespace simt_laws::device;
  return {law("device.recorded_launches_replay_to_the_same_bits", "also through a workspace whose buffer is gone",
              wrong_with_replay),
          law("device.memory_of_a_recording_is_freed_with_it", "and not before", wrong_with_kept_memory),
          law("device.twice_the_launches_take_twice_the_time", "between events and in a graph", wrong_with_times),
          law("device.a_thread_has_one_recording", "a second one is refused while the first lives",
              wrong_with_a_second_recording)};
}

}  // namespace assay
