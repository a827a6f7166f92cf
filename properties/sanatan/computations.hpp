#pragma once

#include <vector>

#include "problem/computation.hpp"

/// Published numbers of SANATAN computed anew, one function a file; rows of claims/sanatan.toml name them.
namespace assay {

std::vector<Computation> sanatan_latency_computations();
std::vector<Computation> sanatan_low_precision_computations();
std::vector<Computation> sanatan_memory_computations();
std::vector<Computation> sanatan_null_model_computations();
std::vector<Computation> sanatan_quality_computations();
std::vector<Computation> sanatan_random_model_computations();
std::vector<Computation> sanatan_recurrence_limits_computations();
std::vector<Computation> sanatan_training_setup_computations();

}  // namespace assay
