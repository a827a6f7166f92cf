#include "properties/simt/device/recorded_laws.hpp"

#include "properties/enumerated.hpp"
#include "properties/simt/device/on_gpu.hpp"
#include "properties/simt/kernels/recorded.hpp"

namespace assay {
namespace {

Outcome nothing_wrong(std::string (*wrong)()) {
  if (const std::string reason = no_gpu(); !reason.empty()) return Outcome::rejected(reason);
  const JobAnswer answer = answers_on_gpu(1, [&](std::size_t) { return wrong(); }).front();
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
