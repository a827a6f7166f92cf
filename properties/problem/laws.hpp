#pragma once

#include <vector>

#include "problem/law.hpp"

/// Laws of the tool itself: inputs, and what is published.
namespace assay {

std::vector<Law> problem_case_mix_laws();
std::vector<Law> problem_exchange_laws();
std::vector<Law> problem_families_laws();
std::vector<Law> problem_published_laws();
std::vector<Law> problem_shrink_laws();
std::vector<Law> problem_transforms_laws();

}  // namespace assay
