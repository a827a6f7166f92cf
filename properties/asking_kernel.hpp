#pragma once

#include <string>

#include "problem/kernel.hpp"

namespace assay {

/// A kernel that runs nothing and only says what it takes, so that cases do not follow the table of kernels.
inline Kernel asking_kernel(const Operator& op, Format element) {
  Contract contract;
  contract.input = contract.output = element;
  Kernel kernel;
  kernel.name = op.name;
  kernel.op = &op;
  kernel.contract = contract;
  kernel.over_fields = true;
  return kernel;
}

}  // namespace assay
