#pragma once

#include <vector>

#include "run/bench_row.hpp"

namespace assay {

/// How long the host's model of the tensor-core sum takes alone, tile by tile, on one core: a dot product of 16 (tf32:
/// 8) and C, in each format, on values of moderate size and on subnormal results.
std::vector<BenchRow> tensor_core_rates();

}  // namespace assay
