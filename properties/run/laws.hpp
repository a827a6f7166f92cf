#pragma once

#include <vector>

#include "problem/law.hpp"

/// Laws of the tool itself: campaigns, ledgers, audits and the claims that are in them; baselines, gates, drift.
namespace assay {

std::vector<Law> run_audit_laws();
std::vector<Law> run_baseline_laws();
std::vector<Law> run_bits_laws();
std::vector<Law> run_campaign_laws();
std::vector<Law> run_claims_laws();
std::vector<Law> run_conditioning_laws();
std::vector<Law> run_cost_laws();
std::vector<Law> run_corpus_laws();
std::vector<Law> run_counterexample_laws();
std::vector<Law> run_drift_laws();
std::vector<Law> run_drift_series_laws();
std::vector<Law> run_errors_laws();
std::vector<Law> run_gate_laws();
std::vector<Law> run_growth_laws();
std::vector<Law> run_isolated_laws();
std::vector<Law> run_junit_laws();
std::vector<Law> run_ledger_laws();
std::vector<Law> run_ratchet_laws();
std::vector<Law> run_roundings_laws();
std::vector<Law> run_shares_laws();
std::vector<Law> run_sign_test_laws();
std::vector<Law> run_speed_laws();
std::vector<Law> run_stored_outputs_laws();
std::vector<Law> run_truth_laws();

}  // namespace assay
