#pragma once

#include <functional>
#include <vector>

#include <cuda_runtime.h>

namespace assay::simt::runtime {

/// A kernel with its grid and arguments: starts it on a stream.
using StartOnStream = std::function<void(cudaStream_t)>;

/// What one OS thread has launched, and the memory that it may use again.
class Recording {
 public:
  Recording();
  ~Recording();
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  /// That of this OS thread; null where nothing is recorded.
  static Recording* current();

  void add(StartOnStream start) { launches_.push_back(std::move(start)); }
  /// Frees the memory when the recording dies.
  void keep(void* memory) { kept_.push_back(memory); }

  const std::vector<StartOnStream>& launches() const { return launches_; }

 private:
  std::vector<StartOnStream> launches_;
  std::vector<void*> kept_;
};

/// Starts every launch on the stream, so many times over. Throws Error with the first that cannot start.
void start_all(const Recording& recording, cudaStream_t stream, int passes);

}  // namespace assay::simt::runtime
