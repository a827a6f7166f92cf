#pragma once

#include "problem/oracle.hpp"

namespace assay::sfda {

// Outputs of sfda.compose: P = A_n ... A_1 and Z = A_n (... (A_2 B_1 + B_2) ...) + B_n, without nodes, whose order is
// the kernel's. Source: [SFDA] s2.2, eq. 10, Lemma A.2.

/// In double-double, with a radius that grows by ‖A_t‖₂ a map (bounds.md D7); infinite, with the value 0, where numbers
/// leave the range of doubles. On exact inputs radius 0.
References certified_composition(const Case& c);

/// By the formula as it is written, in MPFR at 50 digits. The radius is that of writing the result as two doubles.
References composition_by_definition(const Case& c);

/// Over GF(p²), its planes over the field of the case.
Tensors composition_over_field(const Case& c);

}  // namespace assay::sfda
