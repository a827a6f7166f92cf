#include "run/isolated.hpp"

#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "problem/turn.hpp"

namespace assay {
namespace {

void write_all(int fd, const void* data, std::size_t bytes) {
  for (auto* p = static_cast<const char*>(data); bytes > 0;) {
    const ssize_t n = ::write(fd, p, bytes);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw std::system_error(errno, std::generic_category(), "write to a worker");
    p += n;
    bytes -= static_cast<std::size_t>(n);
  }
}

/// False at the end of the stream.
bool read_all(int fd, void* data, std::size_t bytes) {
  for (auto* p = static_cast<char*>(data); bytes > 0;) {
    const ssize_t n = ::read(fd, p, bytes);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    p += n;
    bytes -= static_cast<std::size_t>(n);
  }
  return true;
}

/// What goes before an answer's text.
struct Header {
  std::uint64_t bytes = 0;
  std::uint64_t crashed = 0;
};

/// An exception must not climb into the frames that were forked with the process.
JobAnswer answer_of(const std::function<std::string(std::size_t)>& job, std::size_t number) {
  try {
    return {false, job(number)};
  } catch (const std::exception& error) {
    return {true, error.what()};
  }
}

/// The life of a worker process: numbers in, answers out.
[[noreturn]] void serve(int in, int out, const std::function<std::string(std::size_t)>& job) {
  std::uint64_t number = 0;
  while (read_all(in, &number, sizeof number)) {
    const JobAnswer answer = answer_of(job, static_cast<std::size_t>(number));
    const Header header{answer.text.size(), answer.crashed};
    write_all(out, &header, sizeof header);
    write_all(out, answer.text.data(), answer.text.size());
  }
  ::_exit(0);
}

/// A worker process and the job that it is at.
class Worker {
 public:
  Worker(Turns& turns, std::size_t number, const std::function<std::string(std::size_t)>& job)
      : turns_(turns), number_(number) {
    int to_child[2], from_child[2];
    if (::pipe2(to_child, O_CLOEXEC) != 0 || ::pipe2(from_child, O_CLOEXEC) != 0)
      throw std::system_error(errno, std::generic_category(), "pipe to a worker");
    pid_ = ::fork();
    if (pid_ < 0) throw std::system_error(errno, std::generic_category(), "fork of a worker");
    if (pid_ == 0) {
      ::close(to_child[1]);
      ::close(from_child[0]);
      turns.enter(number);
      serve(to_child[0], from_child[1], job);
    }
    ::close(to_child[0]);
    ::close(from_child[1]);
    in_ = to_child[1];
    out_ = from_child[0];
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker() {
    ::close(in_);
    ::close(out_);
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }

  int descriptor() const { return out_; }
  bool dead() const { return dead_; }
  std::optional<std::size_t> job() const { return job_; }
  bool overdue(double seconds) const { return job_ && turns_.seconds_at_job(number_) > seconds; }

  void start(std::size_t job) {
    job_ = job;
    turns_.start_job(number_);
    const std::uint64_t number = job;
    write_all(in_, &number, sizeof number);
  }

  /// The answer that is ready, or the reason of the process's death. What threw may have spoilt its process.
  JobAnswer finish() {
    job_.reset();
    Header header;
    JobAnswer answer;
    if (read_all(out_, &header, sizeof header)) {
      answer = {header.crashed != 0, std::string(header.bytes, '\0')};
      if (read_all(out_, answer.text.data(), header.bytes)) {
        dead_ = answer.crashed;
        return answer;
      }
    }
    dead_ = true;
    int status = 0;
    ::waitpid(pid_, &status, 0);
    const std::string how = WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "left without an answer";
    return {true, how};
  }

 private:
  pid_t pid_ = -1;
  int in_ = -1;
  int out_ = -1;
  bool dead_ = false;
  std::optional<std::size_t> job_;
  Turns& turns_;
  std::size_t number_;
};

/// Hands out jobs and collects answers until all are done or `take` has had enough.
class Pool {
 public:
  Pool(std::size_t count, const Isolation& isolation, const std::function<std::string(std::size_t)>& job)
      : count_(count), isolation_(isolation), job_(job), turns_(workers_for(count, isolation)) {
    workers_.resize(workers_for(count, isolation));
    for (auto& worker : workers_) employ(worker);
  }

  void run(const std::function<bool(std::size_t, const JobAnswer&)>& take) {
    while (done_ < count_) {
      for (auto& worker : workers_)
        if (worker->overdue(isolation_.seconds_per_job) && !give_up(worker, take)) return;
      for (std::size_t i : ready())
        if (!collect(workers_[i], take)) return;
    }
  }

 private:
  using Take = std::function<bool(std::size_t, const JobAnswer&)>;

  static std::size_t workers_for(std::size_t jobs, const Isolation& isolation) {
    const unsigned cores =
        isolation.processes ? isolation.processes : std::max(1u, std::thread::hardware_concurrency());
    return std::min<std::size_t>(cores, jobs);
  }

  void employ(std::unique_ptr<Worker>& worker) {
    const auto number = static_cast<std::size_t>(&worker - workers_.data());
    if (!worker) worker = std::make_unique<Worker>(turns_, number, job_);
    if (next_ < count_) worker->start(next_++);
  }

  std::vector<std::size_t> ready() {
    std::vector<pollfd> descriptors;
    for (const auto& worker : workers_) descriptors.push_back({worker->descriptor(), POLLIN, 0});
    ::poll(descriptors.data(), descriptors.size(), 1000);
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < descriptors.size(); ++i)
      if (descriptors[i].revents != 0 && workers_[i]->job()) numbers.push_back(i);
    return numbers;
  }

  bool collect(std::unique_ptr<Worker>& worker, const Take& take) {
    const std::size_t job = *worker->job();
    const JobAnswer answer = worker->finish();
    if (worker->dead()) worker.reset();
    ++done_;
    employ(worker);
    return take(job, answer);
  }

  bool give_up(std::unique_ptr<Worker>& worker, const Take& take) {
    const std::size_t job = *worker->job();
    worker.reset();
    ++done_;
    employ(worker);
    return take(job, {true, fmt::format("still running after {} s", isolation_.seconds_per_job)});
  }

  std::size_t count_, next_ = 0, done_ = 0;
  Isolation isolation_;
  const std::function<std::string(std::size_t)>& job_;
  Turns turns_;
  std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace

void run_isolated(std::size_t count, const Isolation& isolation, const std::function<std::string(std::size_t)>& job,
                  const std::function<bool(std::size_t, const JobAnswer&)>& take) {
  if (count == 0) return;
  Pool pool(count, isolation, job);
  pool.run(take);
}

}  // namespace assay
