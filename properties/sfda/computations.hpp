#pragma once

#include <vector>

#include "problem/computation.hpp"

/// Published numbers of SFDA computed anew, one function a file; rows of claims/sfda.toml name them.
namespace assay {

std::vector<Computation> sfda_built_counter_computations();
std::vector<Computation> sfda_conditioning_computations();
std::vector<Computation> sfda_learned_counters_computations();
std::vector<Computation> sfda_phase_drift_computations();
std::vector<Computation> sfda_residuals_computations();

}  // namespace assay
