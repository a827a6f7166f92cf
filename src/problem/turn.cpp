#include "problem/turn.hpp"

#include <chrono>
#include <system_error>

namespace assay {
namespace {

using Clock = std::atomic<std::int64_t>;
static_assert(Clock::is_always_lock_free);

/// Nanoseconds of a clock that all processes share.
std::int64_t now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// A clock holds the time at which it started, had it never been stopped; one that is stopped, ~(what it shows).
std::int64_t shown(const Clock& clock) {
  const std::int64_t value = clock;
  return value < 0 ? ~value : now() - value;
}
void stop(Clock& clock) { clock = ~shown(clock); }
void go_on(Clock& clock) { clock = now() - shown(clock); }

// Of the worker that this process is.
pthread_mutex_t* shared_mutex = nullptr;
Clock* own_clock = nullptr;

}  // namespace

Turns::Turns(std::size_t workers) : clocks_(workers) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&*mutex_, &attributes);
  pthread_mutexattr_destroy(&attributes);
}

void Turns::start_job(std::size_t worker) { *clocks_[worker] = now(); }

double Turns::seconds_at_job(std::size_t worker) const {
  return std::chrono::duration<double>(std::chrono::nanoseconds(shown(*clocks_[worker]))).count();
}

void Turns::enter(std::size_t worker) const {
  shared_mutex = &*mutex_;
  own_clock = &*clocks_[worker];
}

Turn::Turn() {
  if (shared_mutex == nullptr) return;
  stop(*own_clock);
  const int result = pthread_mutex_lock(shared_mutex);
  go_on(*own_clock);
  if (result == EOWNERDEAD)
    pthread_mutex_consistent(shared_mutex);
  else if (result != 0)
    throw std::system_error(result, std::generic_category(), "waiting for a turn");
}

Turn::~Turn() {
  if (shared_mutex != nullptr) pthread_mutex_unlock(shared_mutex);
}

}  // namespace assay
