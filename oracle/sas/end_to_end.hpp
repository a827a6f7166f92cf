#pragma once

#include "problem/oracle.hpp"

namespace assay::sas {

/// Gradients of exact attention: o and L are not the stored ones but `forward`, certified values of its forward case's.
References end_to_end_gradients(const Case& c, const References& forward);

/// How wrong gradients of a kernel with this contract may be that takes the stored o and L of `c`, which are within
/// `forward` of the exact ones (bounds.md, G5).
Allowances end_to_end_bound(const Case& c, const Contract& contract, const References& truth,
                            const Allowances& forward);

}  // namespace assay::sas
