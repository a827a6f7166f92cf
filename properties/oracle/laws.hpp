#pragma once

#include <vector>

#include "problem/law.hpp"

/// Laws of what the formulas of all papers stand on: axioms of fields, angles as points, rank.
namespace assay {

std::vector<Law> oracle_axioms_laws();
std::vector<Law> oracle_circle_angle_laws();
std::vector<Law> oracle_rank_laws();

}  // namespace assay
