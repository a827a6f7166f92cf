#pragma once

#include <vector>

#include "problem/kernel_law.hpp"

/// Laws that hold contracts against probes.
namespace assay {

std::vector<KernelLaw> contracts_stated_laws();
std::vector<Law> contracts_known_sums_laws();
std::vector<Law> contracts_softmax_laws();

}  // namespace assay
