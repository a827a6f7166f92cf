#pragma once

#include <vector>

#include "problem/law.hpp"

/// Laws of the SANATAN formulas, one function a file; the claims that they settle stand in each law's source.
namespace assay {

std::vector<Law> sanatan_roots_laws();
std::vector<Law> sanatan_squash_laws();
std::vector<Law> sanatan_labels_laws();
std::vector<Law> sanatan_rotation_laws();
std::vector<Law> sanatan_exact_families_laws();
std::vector<Law> sanatan_features_laws();
std::vector<Law> sanatan_gates_laws();
std::vector<Law> sanatan_patterns_laws();
std::vector<Law> sanatan_ranks_laws();
std::vector<Law> sanatan_scores_laws();
std::vector<Law> sanatan_powers_laws();
std::vector<Law> sanatan_tensor_power_laws();
std::vector<Law> sanatan_recurrence_laws();
std::vector<Law> sanatan_certified_laws();
std::vector<Law> sanatan_chunk_laws();
std::vector<Law> sanatan_adverse_rounding_laws();
std::vector<Law> sanatan_gradients_laws();
std::vector<Law> sanatan_golden_laws();
std::vector<Law> sanatan_golden_gradients_laws();
std::vector<Law> sanatan_gate_statistics_laws();
std::vector<Law> sanatan_memory_laws();
std::vector<Law> sanatan_operation_counts_laws();
std::vector<Law> sanatan_recurrence_limits_laws();
std::vector<Law> sanatan_spectrum_laws();

}  // namespace assay
