#pragma once

#include <vector>

#include "problem/law.hpp"

namespace assay {

std::vector<Law> sanatan_memory_laws();

}  // namespace assay
