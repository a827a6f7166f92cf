#pragma once

#include <vector>

#include "problem/law.hpp"

namespace assay {

std::vector<Law> simt_elementary_laws();

}  // namespace assay
