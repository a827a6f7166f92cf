#pragma once

#include "problem/oracle.hpp"

namespace assay::sfda {

/// Outputs of an operator of the delta rule in double-double with a certified radius (certificate.md): infinite, with
/// the value 0, where a column of the state grows beyond 2^500 or its certificate overflows. On exact inputs radius 0.
References certified_delta_rule(const Case& c);

/// The same of one window of longer sequences, up to 2^20 tokens, from the state that the window before left; the first
/// window begins with the case's own. The values are those of the whole sequence, bit for bit, where windows before
/// the last are whole blocks of 32 tokens.
WindowOracle::Part certified_window(const Case& window, std::span<const double> state);

}  // namespace assay::sfda
