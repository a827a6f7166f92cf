#pragma once

#include "problem/kernel.hpp"

namespace assay {

/// The kernel that takes sequences of one length through a decode step, token after token, each from the states that
/// the last one left. Its outputs are those of all tokens and the last states. Throws std::logic_error if `step` takes
/// more than one token.
Kernel token_by_token(const Kernel& step);

}  // namespace assay
