#pragma once

#include <vector>

#include "problem/law.hpp"

/// Laws of the SFDA formulas, one function a file; the claims that they settle stand in each law's source.
namespace assay {

std::vector<Law> sfda_certified_laws();
std::vector<Law> sfda_certified_decay_laws();
std::vector<Law> sfda_over_field_laws();
std::vector<Law> sfda_transition_norms_laws();
std::vector<Law> sfda_windows_laws();
std::vector<Law> sfda_rounded_at_laws();
std::vector<Law> sfda_token_update_laws();
std::vector<Law> sfda_wy_laws();
std::vector<Law> sfda_wy_controls_laws();
std::vector<Law> sfda_ranks_laws();
std::vector<Law> sfda_chunk_laws();
std::vector<Law> sfda_affine_laws();
std::vector<Law> sfda_adverse_rounding_laws();
std::vector<Law> sfda_compose_laws();
std::vector<Law> sfda_rotation_blocks_laws();
std::vector<Law> sfda_phase_laws();
std::vector<Law> sfda_real_controls_laws();
std::vector<Law> sfda_operation_counts_laws();
std::vector<Law> sfda_stability_laws();
std::vector<Law> sfda_state_bounds_laws();
std::vector<Law> sfda_parameters_laws();
std::vector<Law> sfda_conditioning_laws();
std::vector<Law> sfda_counters_laws();
std::vector<Law> sfda_dihedral_laws();
std::vector<Law> sfda_stack_laws();
std::vector<Law> sfda_automaton_laws();
std::vector<Law> sfda_routing_laws();
std::vector<Law> sfda_realification_laws();
std::vector<Law> sfda_gradients_laws();
std::vector<Law> sfda_golden_laws();
std::vector<Law> sfda_golden_gradients_laws();

}  // namespace assay
