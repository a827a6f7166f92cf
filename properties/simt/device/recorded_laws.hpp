#pragma once

#include <vector>

#include "problem/law.hpp"

namespace assay {

/// What is kept of launches on a GPU runs again as it ran.
std::vector<Law> recorded_launches_laws();

}  // namespace assay
