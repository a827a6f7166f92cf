#pragma once

#include <vector>

#include "problem/law.hpp"

/// Laws of the SAS formulas, one function a file; the claims that they settle stand in each law's source.
namespace assay {

std::vector<Law> sas_adverse_gradient_rounding_laws();
std::vector<Law> sas_adverse_rounding_laws();
std::vector<Law> sas_attention_gradients_laws();
std::vector<Law> sas_attention_laws();
std::vector<Law> sas_balance_laws();
std::vector<Law> sas_certified_laws();
std::vector<Law> sas_coverage_laws();
std::vector<Law> sas_gate_gradients_laws();
std::vector<Law> sas_gates_laws();
std::vector<Law> sas_golden_gradients_laws();
std::vector<Law> sas_golden_laws();
std::vector<Law> sas_grouped_heads_laws();
std::vector<Law> sas_inference_laws();
std::vector<Law> sas_masked_gradients_laws();
std::vector<Law> sas_normalisation_gradients_laws();
std::vector<Law> sas_real_scores_laws();
std::vector<Law> sas_recall_laws();
std::vector<Law> sas_recomputed_gradients_laws();
std::vector<Law> sas_rounding_points_laws();
std::vector<Law> sas_score_gradients_laws();
std::vector<Law> sas_selection_laws();
std::vector<Law> sas_sizes_laws();
std::vector<Law> sas_straight_through_gradients_laws();
std::vector<Law> sas_streaming_laws();
std::vector<Law> sas_success_rates_laws();

}  // namespace assay
