#pragma once

#include <vector>

#include "problem/kernel_law.hpp"

/// Laws over the table of kernels, each written once.
namespace assay {

std::vector<KernelLaw> kernels_bits_laws();
std::vector<KernelLaw> kernels_causality_laws();
std::vector<KernelLaw> kernels_chaining_laws();
std::vector<KernelLaw> kernels_delta_rule_laws();
std::vector<KernelLaw> kernels_composition_laws();
std::vector<KernelLaw> kernels_end_to_end_laws();
std::vector<KernelLaw> kernels_features_laws();
std::vector<KernelLaw> kernels_gates_laws();
std::vector<KernelLaw> kernels_gradients_laws();
std::vector<KernelLaw> kernels_machine_laws();
std::vector<KernelLaw> kernels_non_finite_laws();
std::vector<KernelLaw> kernels_normaliser_laws();
std::vector<KernelLaw> kernels_options_laws();
std::vector<KernelLaw> kernels_packing_laws();
std::vector<KernelLaw> kernels_standard_laws();
std::vector<KernelLaw> kernels_values_laws();

}  // namespace assay
