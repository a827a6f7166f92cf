#pragma once

#include <vector>

#include "problem/law.hpp"

namespace assay {

/// Elementary functions are within their stated error.
std::vector<Law> simt_elementary_laws();
/// Every planted fault is found, by the mode that is meant for it.
std::vector<Law> simt_faults_laws();
/// Kernels without a fault give the same bits in every mode, and nothing is reported.
std::vector<Law> simt_modes_laws();
/// Words of CUDA do what their definition says.
std::vector<Law> simt_words_laws();
/// Tile products equal their definition on every machine.
std::vector<Law> simt_tiles_laws();
/// A GPU does what the host does, and what it gives up on costs one job; none in a program without device builds.
std::vector<Law> simt_device_laws();
/// Launches that cannot be made are refused.
std::vector<Law> simt_launches_laws();
/// What functions are held against is as close as it has to be.
std::vector<Law> simt_quick_values_laws();
/// Approximate instructions and the tables that they are made of.
std::vector<Law> simt_approximate_laws();
/// The host machine computes what a GPU returned.
std::vector<Law> simt_recorded_bits_laws();

}  // namespace assay
