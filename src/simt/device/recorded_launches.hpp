#pragma once

#include <cstddef>
#include <memory>

namespace assay::simt {

/// Seconds that one pass over some launches takes.
struct LaunchTimes {
  double events = 0;  ///< made one by one, between two events: the median of passes
  double graph = 0;   ///< replayed from a graph: the median of replays
  double spread = 0;  ///< of the replays: the distance of their quartiles over their median
};

namespace runtime {
class Recording;
}

/// While it lives, what this OS thread launches on a GPU is kept with its arguments, and memory of the GPU that buffers
/// give up stays allocated, so that it can all run again. One lives in a thread at a time.
class RecordedLaunches {
 public:
  RecordedLaunches();  ///< throws Error where the program has no device machine
  ~RecordedLaunches();
  RecordedLaunches(const RecordedLaunches&) = delete;
  RecordedLaunches& operator=(const RecordedLaunches&) = delete;

  /// Launches so far.
  std::size_t size() const;

  /// Makes all launches again, in order, and waits. Pads are not checked. Throws Error.
  void replay() const;

  /// Times passes over all launches, each after the one before. Throws Error.
  LaunchTimes times() const;

 private:
  std::unique_ptr<runtime::Recording> recording_;
};

}  // namespace assay::simt
