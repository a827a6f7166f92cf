#include "properties/simt/laws.hpp"

#include <cstring>

#include <fmt/format.h>

#include "properties/enumerated.hpp"
#include "properties/same.hpp"
#include "properties/simt/device/on_gpu.hpp"
#include "properties/simt/device/recorded_laws.hpp"
#include "properties/simt/kernels/run.hpp"

namespace assay {
namespace {

using simt_laws::Run;

const Run& run_named(std::span<const Run> runs, std::string_view name) {
  for (const Run& run : runs)
    if (run.name == name) return run;
  throw std::logic_error(fmt::format("no run is called {}", name));
}

std::string bytes_of(const std::vector<float>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)};
}

std::vector<JobAnswer> answers_of(std::span<const Run* const> jobs, double seconds = 60) {
  return answers_on_gpu(
      jobs.size(), [&](std::size_t i) { return bytes_of(jobs[i]->outputs()); }, seconds);
}

/// What a job with a fault answers between two without one, which must not notice.
Outcome faulty(std::string_view name, std::initializer_list<std::string_view> words, double seconds = 60) {
  if (const std::string reason = no_gpu(); !reason.empty()) return Outcome::rejected(reason);
  const Run& good = simt_laws::device::correct_runs().front();
  const Run* const jobs[] = {&good, &run_named(simt_laws::device::device_faults(), name), &good};
  const std::vector<JobAnswer> answers = answers_of(jobs, seconds);
  if (answers[0].crashed || answers[2].crashed || answers[0].text != answers[2].text)
    return Outcome::fails("a job beside it: " + answers[0].text + answers[2].text);
  if (!answers[1].crashed) return Outcome::fails("nothing is said");
  for (const std::string_view word : words)
    if (answers[1].text.find(word) == std::string::npos)
      return Outcome::fails(fmt::format("'{}' does not say '{}'", answers[1].text, word));
  return Outcome::holds();
}

Outcome correct_kernels() {
  if (const std::string reason = no_gpu(); !reason.empty()) return Outcome::rejected(reason);
  std::vector<const Run*> jobs;
  for (const Run& run : simt_laws::device::correct_runs()) jobs.push_back(&run);
  const std::vector<JobAnswer> answers = answers_of(jobs);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (answers[i].crashed) return Outcome::fails(answers[i].text);
    if (answers[i].text != bytes_of(run_named(simt_laws::host::correct_runs(), jobs[i]->name).outputs()))
      return Outcome::fails(fmt::format("{} has other bits than on the host", jobs[i]->name));
  }
  return Outcome::holds();
}

Law on_gpu(std::string_view name, std::string_view statement, Outcome (*check)()) {
  return enumerated(name, statement, "", "GPU", check);
}

}  // namespace

std::vector<Law> simt_device_laws() {
  std::vector<Law> laws = {
      on_gpu("device.kernels_without_a_fault_have_the_hosts_bits", "every run of the host's laws", correct_kernels),
      on_gpu("device.a_crash_costs_one_job", "a write far away: its kernel is named, the jobs beside it answer",
             [] {
               return faulty("write_far_away", {"write_far_away", "cudaErrorIllegalAddress"});
             }),
      on_gpu("device.a_hang_costs_one_job", "an endless loop: stopped after its time",
             [] { return faulty("wait_for_ever", {"still running"}, 5); }),
      on_gpu("device.a_write_past_the_end_is_named", "kernel, side and buffer",
             [] {
               return faulty("write_past_the_end", {"write_second", "past the end of buffer 'out'"});
             }),
      on_gpu("device.a_write_before_the_start_is_named", "kernel, side and buffer",
             [] {
               return faulty("write_before_the_start", {"write_before_the_start", "before the start of buffer 'out'"});
             }),
      on_gpu("device.a_write_between_rows_is_named", "kernel and buffer", [] {
        return faulty("write_in_a_gap", {"write_second", "in a gap between the rows of buffer 'out'"});
      })};
  const std::vector<Law> recorded = recorded_launches_laws();
  laws.insert(laws.end(), recorded.begin(), recorded.end());
  return laws;
}

}  // namespace assay
