#pragma once

#include <vector>

#include "problem/law.hpp"

/// Laws of the tool itself: what is published, and what is computed beside it.
namespace assay {

std::vector<Law> problem_published_laws();

}  // namespace assay
