#pragma once

#include "properties/simt/kernels/recorded.hpp"
#include "simt/device/recorded_launches.hpp"
#include "simt/simt.cuh"

// What is kept of launches on a GPU, and done with it.

namespace assay::simt_laws::ASSAY_MACHINE {

/// to[i] = from[i] + 1, so many times over. One thread.
__global__ void add_ones_kernel(const float* from, float* to, int count, int steps) {
  for (int i = 0; i < count; ++i) {
    float x = from[i];
    for (int step = 0; step < steps; ++step) x = x + 1;
    to[i] = x;
  }
}

inline void add_ones(const float* from, float* to, int count, int steps = 1) {
  simt::launch({.blocks = 1, .threads = 1}, add_ones_kernel, from, to, count, steps);
}

std::string wrong_with_replay() {
  const std::vector<float> start{1, 2, 3}, want{3, 4, 5};
  simt::Buffer<float> in(simt::machine, "in", start), out(simt::machine, "out", start.size());
  const simt::RecordedLaunches recorded;
  {
    auto between = simt::workspace<float>("between", start.size());
    add_ones(in.data(), between.data(), 3);
    add_ones(between.data(), out.data(), 3);
  }
  if (recorded.size() != 2) return "two launches are not two";
  if (out.values() != want) return "the run itself is wrong";
  out.set(start);
  recorded.replay();
  return out.values() == want ? "" : "a replay gives other values";
}

/// Bytes of buffers.
inline std::uint64_t used_memory() {
  cudaMemPool_t pool = nullptr;
  std::uint64_t bytes = 0;
  cudaDeviceGetDefaultMemPool(&pool, 0);
  cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &bytes);
  return bytes;
}

std::string wrong_with_kept_memory() {
  constexpr std::size_t count = std::size_t(1) << 24;
  std::uint64_t kept = 0;
  const std::uint64_t before = used_memory();
  {
    const simt::RecordedLaunches recorded;
    simt::workspace<float>("large", count);
    kept = used_memory();
  }
  if (kept - before < count * sizeof(float)) return "memory is freed while the recording lives";
  const std::uint64_t after = used_memory();
  return after == before ? "" : std::to_string(after - before) + " bytes stay after the recording";
}

std::string wrong_with_times() {
  constexpr int steps = 1 << 18;
  simt::Buffer<float> in(simt::machine, "in", std::vector<float>{0}), out(simt::machine, "out", 1);
  const simt::RecordedLaunches recorded;
  if (recorded.times().graph != 0) return "nothing takes time";
  add_ones(in.data(), out.data(), 1, steps);
  const simt::LaunchTimes once = recorded.times();
  add_ones(in.data(), out.data(), 1, steps);
  const simt::LaunchTimes twice = recorded.times();
  const auto doubles = [](double one, double two) { return one > 0 && two > 1.8 * one && two < 2.2 * one; };
  if (!doubles(once.events, twice.events)) return "two launches take other than twice one's time between events";
  return doubles(once.graph, twice.graph) ? "" : "two launches take other than twice one's time in a graph";
}

std::string wrong_with_a_second_recording() try {
  const simt::RecordedLaunches one;
  const simt::RecordedLaunches another;
  return "it is allowed";
} catch (const simt::Error& error) {
  return std::string(error.what()).find("recorded already") == std::string::npos ? error.what() : "";
}

}  // namespace assay::simt_laws::ASSAY_MACHINE
