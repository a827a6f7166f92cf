#pragma once

#include <vector>

#include "problem/law.hpp"

/// Laws of the tool itself: campaigns, ledgers, audits and the claims that are in them.
namespace assay {

std::vector<Law> run_audit_laws();
std::vector<Law> run_campaign_laws();
std::vector<Law> run_claims_laws();
std::vector<Law> run_corpus_laws();
std::vector<Law> run_isolated_laws();
std::vector<Law> run_ledger_laws();

}  // namespace assay
