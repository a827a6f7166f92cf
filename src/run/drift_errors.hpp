#pragma once

#include <cstdint>
#include <functional>

#include "problem/case.hpp"
#include "record/record.hpp"
#include "run/truth.hpp"

namespace assay {

/// Tokens at the end of a case whose errors are counted.
inline constexpr std::int64_t counted_tokens = 64;

/// Whether a row of the output is of one of the last tokens; every row of a state is.
std::function<bool(std::size_t row)> last_tokens(const TensorSpec& spec, const Sizes& sizes);

/// {output: {p50, p99, bound}} of the last tokens and of the final states, relative to |o|.
Json drift_errors(const Case& c, const Tensors& outputs, const Truth& truth);

}  // namespace assay
