#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <pthread.h>

#include "problem/shared.hpp"

namespace assay {

/// What a parent shares with its worker processes: how long each has been at its job, and whose turn it is at what they
/// would slow each other down with, as a GPU.
class Turns {
 public:
  explicit Turns(std::size_t workers);

  void start_job(std::size_t worker);
  /// Without the waits for a turn.
  double seconds_at_job(std::size_t worker) const;
  /// From now on this process is that worker.
  void enter(std::size_t worker) const;

 private:
  Shared<pthread_mutex_t> mutex_;
  std::vector<Shared<std::atomic<std::int64_t>>> clocks_;
};

/// While it lives no other worker has one; that of a process that died goes to the next. Outside of workers there is
/// nobody to wait for. A process has one at a time.
class Turn {
 public:
  Turn();
  ~Turn();
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
};

}  // namespace assay
