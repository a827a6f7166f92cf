#pragma once

#include <vector>

#include "problem/computation.hpp"

namespace assay {

std::vector<Computation> sanatan_latency_computations();
std::vector<Computation> sanatan_memory_computations();
std::vector<Computation> sanatan_null_model_computations();
std::vector<Computation> sanatan_quality_computations();
std::vector<Computation> sanatan_training_setup_computations();

}  // namespace assay
