#include "simt/host/workers.hpp"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

#include <unistd.h>

namespace assay::simt::runtime {
namespace {

struct Request {
  const std::function<void()>* work;
  unsigned active = 0;  // helpers inside work()
};

/// OS threads that stay, because a helper's stacks are costly to map.
class Helpers {
 public:
  void ask(Request& request, unsigned count) {
    const std::lock_guard lock(guard_);
    while (threads_.size() < count) threads_.emplace_back([this](std::stop_token stop) { serve(stop); });
    for (unsigned i = 0; i < count; ++i) queue_.push_back(&request);
    wake_.notify_all();
  }

  /// Takes back what no helper has begun, and waits for the rest.
  void finish(Request& request) {
    std::unique_lock lock(guard_);
    std::erase(queue_, &request);
    done_.wait(lock, [&] { return request.active == 0; });
  }

 private:
  void serve(std::stop_token stop) {
    std::unique_lock lock(guard_);
    while (wake_.wait(lock, stop, [this] { return !queue_.empty(); })) {
      Request& request = *queue_.front();
      queue_.pop_front();
      ++request.active;
      lock.unlock();
      (*request.work)();
      lock.lock();
      --request.active;
      done_.notify_all();
    }
  }

  std::mutex guard_;
  std::condition_variable_any wake_;
  std::condition_variable done_;
  std::deque<Request*> queue_;
  std::vector<std::jthread> threads_;  // last: joined before what they use goes
};

}  // namespace

void work_together(unsigned helpers, const std::function<void()>& work) {
  static Helpers pool;
  static const pid_t owner = getpid();
  if (helpers == 0 || getpid() != owner) return work();  // after a fork the threads are gone
  Request request{&work};
  pool.ask(request, helpers);
  work();
  pool.finish(request);
}

}  // namespace assay::simt::runtime
