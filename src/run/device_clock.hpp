#pragma once

#include <cstdint>
#include <functional>

#include "problem/device_rates.hpp"

namespace assay {

/// Seconds of some launches, all together.
struct TimedLaunches {
  std::int64_t launches = 0;
  double events = 0;  ///< made one by one
  double graph = 0;   ///< replayed from a graph
  double spread = 0;  ///< of the replays: the distance of their quartiles over their median
};

/// A GPU that can be timed.
struct DeviceClock {
  std::function<DeviceRates()> rates;
  /// Calls the function once, then times again and again what it launched.
  std::function<TimedLaunches(const std::function<void()>&)> time;
  std::function<void()> launch_empty_kernel;
};

}  // namespace assay
