#pragma once

#include <cstdint>

#include "problem/tensor.hpp"

namespace assay {

/// FNV-1a over names, shapes and bit patterns; every NaN counts as the same one.
std::uint64_t digest(const Tensors& tensors);

/// Whether two sets of outputs hold the same bits, every NaN counting as the same one.
bool same_bits(const Tensors& a, const Tensors& b);

}  // namespace assay
