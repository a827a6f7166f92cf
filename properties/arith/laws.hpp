#pragma once

#include <vector>

#include "problem/law.hpp"

namespace assay {

std::vector<Law> arith_prime_field_laws();
std::vector<Law> arith_dual_laws();
std::vector<Law> arith_eigen_laws();
std::vector<Law> arith_double_double_laws();
std::vector<Law> arith_dd_elementary_laws();
std::vector<Law> arith_dd_lanes_laws();
std::vector<Law> arith_windowed_sums_laws();
std::vector<Law> arith_ball_laws();
std::vector<Law> arith_cyclic_ring_laws();
std::vector<Law> arith_multiprecision_laws();
std::vector<Law> arith_float_format_laws();
std::vector<Law> arith_rounding_laws();
std::vector<Law> arith_tensor_core_laws();
std::vector<Law> arith_toy_float_laws();

}  // namespace assay
