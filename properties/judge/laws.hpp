#pragma once

#include <vector>

#include "problem/law.hpp"

/// Laws of the judge: what a verdict follows from.
namespace assay {

std::vector<Law> judge_exact_laws();
std::vector<Law> judge_mismatch_laws();
std::vector<Law> judge_planted_errors_laws();
std::vector<Law> judge_tolerances_laws();
std::vector<Law> judge_trivial_outputs_laws();
std::vector<Law> judge_verdict_laws();

}  // namespace assay
