#pragma once

#include <optional>
#include <string>

#include "problem/case.hpp"
#include "problem/device_rates.hpp"
#include "problem/precision.hpp"

namespace assay {

/// What a kernel cannot do without, whoever writes it.
struct LeastWork {
  double bytes = 0;       ///< inputs and outputs once; of keys and values that a selection leaves out, none
  double operations = 0;  ///< of the algorithm, a multiply-add counting as two; 0 where nothing is summed over values
};

/// Of an algorithm on a case whose sequences are not packed. `outputs` are those that the kernel returns.
LeastWork least_work(const Case& c, Algorithm algorithm, const Tensors& outputs);

/// Keys that the queries of a case read, summed over queries and heads of keys.
double keys_read(const Case& c);

/// The time below which no kernel comes, and what takes it.
struct SpeedFloor {
  double seconds = 0;
  std::string by;  ///< "copy", "fma", "mma.sync tf32", "mma.sync bf16"
};

/// The larger of the bytes over the copy rate and the operations over the rate of their products.
SpeedFloor floor_of(const LeastWork& work, Product product, const DeviceRates& rates);

}  // namespace assay
