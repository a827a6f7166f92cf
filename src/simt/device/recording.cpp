#include "simt/device/recording.hpp"

#include "simt/device/cuda_error.hpp"
#include "simt/options.hpp"

namespace assay::simt::runtime {
namespace {

thread_local Recording* of_this_thread = nullptr;

}  // namespace

Recording::Recording() {
  if (of_this_thread != nullptr) throw Error("simt: device: this thread's launches are recorded already");
  of_this_thread = this;
}

Recording::~Recording() {
  of_this_thread = nullptr;
  for (void* memory : kept_) cudaFreeAsync(memory, nullptr);
}

Recording* Recording::current() { return of_this_thread; }

void start_all(const Recording& recording, cudaStream_t stream, int passes) {
  for (int pass = 0; pass < passes; ++pass)
    for (const StartOnStream& start : recording.launches()) start(stream);
  require_success(cudaGetLastError(), "launching what was recorded");
}

}  // namespace assay::simt::runtime
