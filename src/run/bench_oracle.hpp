#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "run/bench_row.hpp"
#include "run/tables.hpp"

namespace assay {

/// One head, and the part of it that the definition is timed on.
struct HeadSize {
  std::int64_t tokens, width;     ///< d = dv
  std::int64_t reference_tokens;  ///< the first ones; their time is scaled to all by the work
};

/// An operator's outputs in ball arithmetic with midpoints of so many bits.
struct BallArithmetic {
  const Operator* op;
  std::function<References(const Case&, std::int64_t bits)> evaluate;
};

/// Published sizes: of recurrences, whose cost grows with the tokens, and of softmax, where it grows with their pairs.
struct OracleBench {
  HeadSize by_tokens = {2048, 64, 64};
  HeadSize by_pairs = {4096, 128, 128};
  int calls = 3;  ///< of each oracle; the fastest counts
  std::vector<BallArithmetic> in_balls = {};
};

/// Certified values of every operator that has a definition to compare with, on every double-double path of this
/// machine, beside the definition at 50 digits, and beside ball arithmetic of no more bits than it takes to certify as
/// much. Throws std::runtime_error where two of them disagree by more than both radii.
std::vector<BenchRow> bench_oracle(const OracleBench& bench, const Tables& tables);

}  // namespace assay
