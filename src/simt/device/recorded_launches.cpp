#include "simt/device/recorded_launches.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "simt/device/cuda_error.hpp"
#include "simt/device/recording.hpp"

namespace assay::simt {
namespace {

using runtime::require_success;
using runtime::start_all;

constexpr double seconds_of_a_sample = 1e-3;  // at least, so that the events around it cost nothing
constexpr double seconds_of_all = 0.1;
constexpr int fewest_samples = 5, most_samples = 25;
constexpr std::size_t most_nodes = 1000;  // of a graph

class Stream {
 public:
  Stream() { require_success(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "making a stream"); }
  ~Stream() { cudaStreamDestroy(stream_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  operator cudaStream_t() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

class Event {
 public:
  Event() { require_success(cudaEventCreate(&event_), "making an event"); }
  ~Event() { cudaEventDestroy(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  operator cudaEvent_t() const { return event_; }

 private:
  cudaEvent_t event_ = nullptr;
};

/// So many passes over a recording, as a graph.
class Graph {
 public:
  Graph(const runtime::Recording& recording, cudaStream_t stream, int passes) {
    require_success(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "capturing a graph");
    start_all(recording, stream, passes);
    require_success(cudaStreamEndCapture(stream, &graph_), "capturing a graph");
    require_success(cudaGraphInstantiate(&executable_, graph_, 0), "making a graph");
  }
  ~Graph() {
    cudaGraphExecDestroy(executable_);
    cudaGraphDestroy(graph_);
  }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  void launch(cudaStream_t stream) const { require_success(cudaGraphLaunch(executable_, stream), "launching a graph"); }

 private:
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t executable_ = nullptr;
};

/// Between events before and after what `work` puts on the stream.
double seconds_between(const Event& before, const Event& after, cudaStream_t stream,
                       const std::function<void()>& work) {
  require_success(cudaEventRecord(before, stream), "recording an event");
  work();
  require_success(cudaEventRecord(after, stream), "recording an event");
  require_success(cudaEventSynchronize(after), "waiting for what was recorded");
  float milliseconds = 0;
  require_success(cudaEventElapsedTime(&milliseconds, before, after), "reading events");
  return static_cast<double>(milliseconds) / 1000;
}

/// Seconds of each sample, rising; the first one warms up and is not among them.
std::vector<double> samples_of(cudaStream_t stream, const std::function<void()>& work) {
  const Event before, after;
  const double warm_up = seconds_between(before, after, stream, work);
  const double wanted = std::clamp(seconds_of_all / warm_up, double(fewest_samples), double(most_samples));
  std::vector<double> samples(static_cast<std::size_t>(wanted));
  for (double& sample : samples) sample = seconds_between(before, after, stream, work);
  std::ranges::sort(samples);
  return samples;
}

/// Passes that make up one sample, given the seconds of one.
int passes_of_a_sample(double seconds, std::size_t launches) {
  const double most = std::max(1.0, static_cast<double>(most_nodes / launches));
  return static_cast<int>(std::clamp(std::ceil(seconds_of_a_sample / seconds), 1.0, most));
}

}  // namespace

RecordedLaunches::RecordedLaunches() : recording_(std::make_unique<runtime::Recording>()) {}

RecordedLaunches::~RecordedLaunches() = default;

std::size_t RecordedLaunches::size() const { return recording_->launches().size(); }

void RecordedLaunches::replay() const {
  start_all(*recording_, nullptr, 1);
  require_success(cudaDeviceSynchronize(), "running what was recorded");
}

LaunchTimes RecordedLaunches::times() const {
  if (size() == 0) return {};
  const Stream stream;
  const auto once = [&] { start_all(*recording_, stream, 1); };
  const std::vector<double> single = samples_of(stream, once);
  const int passes = passes_of_a_sample(single[single.size() / 2], size());
  const std::vector<double> plain =
      passes == 1 ? single : samples_of(stream, [&] { start_all(*recording_, stream, passes); });
  const Graph graph(*recording_, stream, passes);
  const std::vector<double> replayed = samples_of(stream, [&] { graph.launch(stream); });
  const std::size_t count = replayed.size();
  const double median = replayed[count / 2];
  return {.events = plain[plain.size() / 2] / passes,
          .graph = median / passes,
          .spread = (replayed[3 * count / 4] - replayed[count / 4]) / median};
}

}  // namespace assay::simt
