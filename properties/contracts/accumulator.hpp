#pragma once

#include <string>

#include "properties/contracts/summation_tree.hpp"

namespace assay {

/// At every addition on the longest path of a sum, from (big, small, -big): what is left of `small` says how many bits
/// the running sum keeps and whether it rounds to nearest even (an addition of two) or toward zero (an instruction of
/// tensor cores). Empty if that is 24 bits everywhere.
std::string accumulator_fault(const SumSite& site, const SumTree& tree);

/// Whether a product that is added to a sum is rounded first, from (1 - 2^-13)² - (1 - 2^-12) = 2^-26. Empty if it is
/// not, or if the site's factors do not hold 13 bits.
std::string fused_product_fault(const SumSite& site, const SumTree& tree);

}  // namespace assay
