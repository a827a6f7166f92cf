#pragma once

#include <cstdint>

#include "problem/law.hpp"
#include "run/law_result.hpp"

namespace assay {

/// Tries every check of a law, `trials` times each, and shrinks the sizes of the first trial that fails.
/// Everything follows from the seed.
LawResult search(const Law& law, std::uint64_t seed, std::uint32_t trials);

}  // namespace assay
