#pragma once

#include "run/tables.hpp"

namespace assay::cli {

/// The tables of this program: its kernels, mutants, oracles and laws.
const Tables& tables();

}  // namespace assay::cli
