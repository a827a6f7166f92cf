#pragma once

#include <vector>

#include "problem/computation.hpp"

/// Published numbers of SAS computed anew, one function a file; rows of claims/sas.toml name them.
namespace assay {

std::vector<Computation> sas_accuracies_computations();
std::vector<Computation> sas_generation_computations();
std::vector<Computation> sas_training_setup_computations();

}  // namespace assay
