#include "properties/simt/device/on_gpu.hpp"

#include "simt/device/description.hpp"

namespace assay {

std::vector<JobAnswer> answers_on_gpu(std::size_t count, const std::function<std::string(std::size_t)>& job,
                                      double seconds) {
  std::vector<JobAnswer> answers(count);
  run_isolated(count, {.processes = 1, .seconds_per_job = seconds}, job, [&](std::size_t i, const JobAnswer& answer) {
    answers[i] = answer;
    return true;
  });
  return answers;
}

std::string no_gpu() {
  const JobAnswer answer = answers_on_gpu(1, [](std::size_t) { return simt::describe_device().name; }).front();
  return answer.crashed ? answer.text : "";
}

}  // namespace assay
