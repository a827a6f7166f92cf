#include "properties/table.hpp"

#include <iterator>
#include <vector>

#include "properties/arith/laws.hpp"
#include "properties/contracts/laws.hpp"
#include "properties/judge/laws.hpp"
#include "properties/kernels/laws.hpp"
#include "properties/oracle/laws.hpp"
#include "properties/problem/laws.hpp"
#include "properties/record/laws.hpp"
#include "properties/run/laws.hpp"
#include "properties/sanatan/laws.hpp"
#include "properties/sas/laws.hpp"
#include "properties/sfda/laws.hpp"
#include "properties/simt/laws.hpp"

namespace assay {
namespace {

template <class Row>
void append(std::vector<Row>& table, std::vector<Row> rows) {
  table.insert(table.end(), std::make_move_iterator(rows.begin()), std::make_move_iterator(rows.end()));
}

}  // namespace

std::span<const Law> law_table() {
  static const std::vector<Law> laws = [] {
    std::vector<Law> all;
    append(all, run_corpus_laws());  // what failed once is tried first
    append(all, arith_cyclic_ring_laws());
    append(all, arith_dd_elementary_laws());
    append(all, arith_dd_lanes_laws());
    append(all, arith_delta_scan_laws());
    append(all, arith_double_double_laws());
    append(all, arith_dual_laws());
    append(all, arith_eigen_laws());
    append(all, arith_float_format_laws());
    append(all, arith_prime_field_laws());
    append(all, arith_rounding_laws());
    append(all, arith_tensor_core_laws());
    append(all, arith_toy_float_laws());
    append(all, arith_windowed_sums_laws());
    append(all, arith_ball_laws());
    append(all, arith_multiprecision_laws());
    append(all, simt_device_laws());
    append(all, simt_elementary_laws());
    append(all, simt_faults_laws());
    append(all, simt_launches_laws());
    append(all, simt_modes_laws());
    append(all, simt_quick_values_laws());
    append(all, simt_approximate_laws());
    append(all, simt_recorded_bits_laws());
    append(all, simt_tiles_laws());
    append(all, simt_words_laws());
    append(all, contracts_known_sums_laws());
    append(all, contracts_softmax_laws());
    append(all, oracle_axioms_laws());
    append(all, oracle_circle_angle_laws());
    append(all, oracle_rank_laws());
    append(all, problem_case_mix_laws());
    append(all, problem_exchange_laws());
    append(all, problem_families_laws());
    append(all, problem_published_laws());
    append(all, problem_shrink_laws());
    append(all, problem_transforms_laws());
    append(all, judge_exact_laws());
    append(all, judge_mismatch_laws());
    append(all, judge_planted_errors_laws());
    append(all, judge_tolerances_laws());
    append(all, judge_trivial_outputs_laws());
    append(all, judge_verdict_laws());
    append(all, record_files_laws());
    append(all, run_audit_laws());
    append(all, run_baseline_laws());
    append(all, run_bits_laws());
    append(all, run_campaign_laws());
    append(all, run_claims_laws());
    append(all, run_conditioning_laws());
    append(all, run_cost_laws());
    append(all, run_counterexample_laws());
    append(all, run_drift_laws());
    append(all, run_drift_series_laws());
    append(all, run_errors_laws());
    append(all, run_gate_laws());
    append(all, run_growth_laws());
    append(all, run_isolated_laws());
    append(all, run_junit_laws());
    append(all, run_ledger_laws());
    append(all, run_ratchet_laws());
    append(all, run_roundings_laws());
    append(all, run_shares_laws());
    append(all, run_sign_test_laws());
    append(all, run_speed_laws());
    append(all, run_stored_outputs_laws());
    append(all, run_truth_laws());
    append(all, sanatan_adverse_rounding_laws());
    append(all, sanatan_certified_laws());
    append(all, sanatan_chunk_laws());
    append(all, sanatan_exact_families_laws());
    append(all, sanatan_features_laws());
    append(all, sanatan_gate_statistics_laws());
    append(all, sanatan_gates_laws());
    append(all, sanatan_golden_laws());
    append(all, sanatan_golden_gradients_laws());
    append(all, sanatan_gradients_laws());
    append(all, sanatan_labels_laws());
    append(all, sanatan_memory_laws());
    append(all, sanatan_operation_counts_laws());
    append(all, sanatan_patterns_laws());
    append(all, sanatan_powers_laws());
    append(all, sanatan_ranks_laws());
    append(all, sanatan_recurrence_laws());
    append(all, sanatan_recurrence_limits_laws());
    append(all, sanatan_roots_laws());
    append(all, sanatan_rotation_laws());
    append(all, sanatan_scores_laws());
    append(all, sanatan_spectrum_laws());
    append(all, sanatan_squash_laws());
    append(all, sanatan_tensor_power_laws());
    append(all, sas_adverse_gradient_rounding_laws());
    append(all, sas_adverse_rounding_laws());
    append(all, sas_attention_gradients_laws());
    append(all, sas_attention_laws());
    append(all, sas_balance_laws());
    append(all, sas_certified_laws());
    append(all, sas_coverage_laws());
    append(all, sas_gate_gradients_laws());
    append(all, sas_gates_laws());
    append(all, sas_golden_gradients_laws());
    append(all, sas_golden_laws());
    append(all, sas_grouped_heads_laws());
    append(all, sas_inference_laws());
    append(all, sas_masked_gradients_laws());
    append(all, sas_normalisation_gradients_laws());
    append(all, sas_real_scores_laws());
    append(all, sas_recall_laws());
    append(all, sas_recomputed_gradients_laws());
    append(all, sas_rounding_points_laws());
    append(all, sas_score_gradients_laws());
    append(all, sas_selection_laws());
    append(all, sas_sizes_laws());
    append(all, sas_straight_through_gradients_laws());
    append(all, sas_streaming_laws());
    append(all, sas_success_rates_laws());
    append(all, sfda_affine_laws());
    append(all, sfda_adverse_rounding_laws());
    append(all, sfda_compose_laws());
    append(all, sfda_rotation_blocks_laws());
    append(all, sfda_automaton_laws());
    append(all, sfda_certified_laws());
    append(all, sfda_certified_decay_laws());
    append(all, sfda_chunk_laws());
    append(all, sfda_conditioning_laws());
    append(all, sfda_counters_laws());
    append(all, sfda_dihedral_laws());
    append(all, sfda_golden_laws());
    append(all, sfda_golden_gradients_laws());
    append(all, sfda_gradients_laws());
    append(all, sfda_operation_counts_laws());
    append(all, sfda_over_field_laws());
    append(all, sfda_parameters_laws());
    append(all, sfda_phase_laws());
    append(all, sfda_ranks_laws());
    append(all, sfda_real_controls_laws());
    append(all, sfda_realification_laws());
    append(all, sfda_routing_laws());
    append(all, sfda_stability_laws());
    append(all, sfda_stack_laws());
    append(all, sfda_state_bounds_laws());
    append(all, sfda_token_update_laws());
    append(all, sfda_transition_norms_laws());
    append(all, sfda_windows_laws());
    append(all, sfda_rounded_at_laws());
    append(all, sfda_wy_laws());
    append(all, sfda_wy_controls_laws());
    return all;
  }();
  return laws;
}

std::span<const KernelLaw> kernel_law_table() {
  static const std::vector<KernelLaw> laws = [] {
    std::vector<KernelLaw> all;
    append(all, kernels_standard_laws());
    append(all, kernels_composition_laws());
    append(all, kernels_bits_laws());
    append(all, kernels_causality_laws());
    append(all, kernels_chaining_laws());
    append(all, kernels_packing_laws());
    append(all, kernels_options_laws());
    append(all, kernels_normaliser_laws());
    append(all, kernels_values_laws());
    append(all, kernels_end_to_end_laws());
    append(all, kernels_features_laws());
    append(all, kernels_delta_rule_laws());
    append(all, kernels_gradients_laws());
    append(all, kernels_gates_laws());
    append(all, kernels_non_finite_laws());
    append(all, kernels_machine_laws());
    append(all, contracts_stated_laws());
    return all;
  }();
  return laws;
}

}  // namespace assay
