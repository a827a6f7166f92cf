#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace assay {

/// How jobs are spread over processes.
struct Isolation {
  unsigned processes = 0;  ///< 0: one a core
  /// A job that takes longer, not counting its waits for a turn (problem/turn.hpp), is stopped and counts as crashed.
  double seconds_per_job = 300;
};

/// What became of one job: its answer, or why there is none.
struct JobAnswer {
  bool crashed = false;
  std::string text;  ///< the job's answer; of a crash, its signal or time limit
};

/// Runs job(0) ... job(count - 1) in forked processes and hands each answer to `take`, in the order of arrival.
/// A job that throws, kills its process or hangs costs that job alone: the next one gets a fresh process. `take`
/// returns false to stop early.
void run_isolated(std::size_t count, const Isolation& isolation, const std::function<std::string(std::size_t)>& job,
                  const std::function<bool(std::size_t, const JobAnswer&)>& take);

}  // namespace assay
