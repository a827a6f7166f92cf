#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "record/record.hpp"

namespace assay {

/// One row of a bench record.
struct BenchRow {
  std::string name;
  double seconds = 0;
  std::string unit;  ///< what the time is for
  struct Compared {
    std::string name;
    double seconds = 0;
  };
  std::optional<Compared> reference;
  std::optional<std::uint64_t> peak_bytes;  ///< of the process that did the work
  std::string text;
};

Json row_json(const BenchRow& row);
BenchRow parse_row(const Json& json);

/// summary and rows of a bench record.
Json bench_json(const std::vector<BenchRow>& rows);

/// Processor time of the fastest of so many calls: what else the machine does changes it little.
double fastest_seconds(int calls, const std::function<void()>& work);

}  // namespace assay
