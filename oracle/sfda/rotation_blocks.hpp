#pragma once

#include <string>

#include "problem/oracle.hpp"

namespace assay::sfda {

// The operator rotation_blocks.attention: the real delta rule S_t = (I − β a aᵀ) R(Λ) S_{t−1} + β a vᵀ, o_t = S_tᵀ q_t,
// in d pairs of dimensions (x, y). R(Λ) multiplies the pair x + iy by λ = α e^{iθ}, so that a column of S is s in C^d
// and aᵀ s = Re(k* s) with k = x + iy. Another model than complex keys, which erase along i k as well. Source: [SFDA]
// s1, eq. 2-3; [SFDA-notes] s3.6.

/// The case of sfda.attention in 2d dimensions that computes the same: keys (k, k̄), Λ = (λ, λ̄), β / 2, values 2 v,
/// queries (q, q̄) / 2 and the state (s, s̄). There u = (β / 2)(2 v − 2 aᵀ s̄) is the real rule's, (s, s̄) stays such a
/// pair and o = Re(q* s) is real. Scaling by 2 is exact. Domain: not over a field, where a phase has no negative; no v
/// beyond 2^127 and no β or q below 2^-125.
Case in_conjugate_pairs(const Case& c);

/// Outputs in double-double with a certified radius: those of the complex case (certificate.md).
References certified_rotation_blocks(const Case& c);

/// By the formula as it is written, over blocks of two, in MPFR at 50 digits.
References rotation_blocks_by_definition(const Case& c);

/// The same over the field of the case, element for element.
Tensors rotation_blocks_over_field(const Case& c);

/// Allowances of a kernel by scan: those of the complex case, whose sums are as high and whose sizes are those of both
/// halves. A half's roundings are its own conjugate's, so that P takes twice their squares (bounds.md D8).
Allowances rotation_blocks_bound(const Case& c, const Contract& contract, const References& truth);

/// The complex case in float32.
Tensors plain_rotation_blocks(const Case& c, const Contract& contract, std::uint64_t order);

/// The first number at which a scan with this contract rounds, in whatever order it sums; empty if there is none.
std::string rounding_of_rotation_blocks(const Case& c, const Contract& contract);

}  // namespace assay::sfda
