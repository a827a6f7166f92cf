#pragma once

#include <functional>
#include <vector>

#include "run/device_clock.hpp"
#include "run/speed_row.hpp"
#include "run/tables.hpp"

namespace assay {

/// One layer at the published configuration, on a GPU.
struct SpeedBench {
  std::int64_t heads = 12, width = 64;  ///< d = dv
  std::int64_t tokens = 4096;           ///< of one sequence
  std::int64_t batch = 8, batch_tokens = 512;
  std::int64_t maps = 64;                                          ///< that a composition takes
  std::int64_t decoded = 16;                                       ///< sequences that a decode step takes
  std::int64_t layers = 12;                                        ///< that follow each other, for one sequence
  std::int64_t least_sets = 8;                                     ///< sets of arrays that a decode step takes in turn
  std::vector<std::int64_t> contexts = {1024, 2048, 8192, 32768};  ///< keys of a query, in each of the layers
  std::int64_t long_context = 65536;                               ///< keys of a query, in one layer
};

/// What was measured.
struct Speeds {
  DeviceRates rates;
  std::vector<SpeedRow> rows;
};

/// Times every kernel of the tables: a layer of tokens, or a decode step with states that come from memory, from the
/// cache and in layers that follow each other; and launches of nothing. In a process of its own, a case after another.
/// `progress` is told how many cases of how many are done. Throws std::runtime_error where a kernel fails.
Speeds bench_speed(const SpeedBench& bench, const Tables& tables, const DeviceClock& clock,
                   const std::function<void(std::size_t, std::size_t)>& progress);

}  // namespace assay
