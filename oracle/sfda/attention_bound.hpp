#pragma once

#include <span>
#include <vector>

#include "problem/oracle.hpp"

namespace assay::sfda {

/// Allowances of the outputs of the delta rule's operators, for a kernel by scan, chunk_wy or decode (bounds.md).
Allowances attention_bound(const Case& c, const Contract& contract, const References& truth);

/// The same of a window that begins with the state that the kernel computed. `errors` is what that may be wrong by, as
/// errors_after_window gives it: three numbers a column of every state. Empty: the state is exact.
Allowances window_bound(const Case& window, const Contract& contract, std::span<const double> errors);

/// What the state after the window may be wrong by (bounds.md D4).
std::vector<double> errors_after_window(const Case& window, const Contract& contract, std::span<const double> errors);

}  // namespace assay::sfda
