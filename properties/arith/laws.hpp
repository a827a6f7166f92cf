#pragma once

#include <vector>

#include "problem/law.hpp"

namespace assay {

std::vector<Law> arith_float_format_laws();
std::vector<Law> arith_rounding_laws();
std::vector<Law> arith_tensor_core_laws();

}  // namespace assay
