#pragma once

#include "problem/precision.hpp"

namespace assay {

/// Whether x is a factor of the contract's products as it is; two words of tf32 for the product of three.
bool fits_operand(const Contract& contract, double x);

/// The same, with one word of tf32 for the product of three, which leaves out the product of the low words.
bool fits_one_word(const Contract& contract, double x);

}  // namespace assay
