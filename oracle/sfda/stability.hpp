#pragma once

#include <cstddef>
#include <span>

#include "oracle/outside_domain.hpp"
#include "oracle/scalar.hpp"

namespace assay::sfda {

/// ‖I − β k k*‖₂ = max(1, |1 − x|) with x = β ‖k‖², d ≥ 2: eigenvalue 1 − x along k, 1 across it.
/// Source: [SFDA] Prop. 6.3; [SFDA-notes] s3.3; the equality is own.
template <OrderedScalar R>
R erasure_norm(const R& x) {
  const R along = x < R(1) ? R(1) - x : x - R(1);
  return along < R(1) ? R(1) : along;
}

/// ‖S_0‖ + Σ b_i, where ‖A_i‖ ≤ 1 and ‖B_i‖_F ≤ b_i.
/// Source: [SFDA] Prop. 6.3, eq. 74; [SFDA-notes] s3.3.
template <OrderedScalar R>
R state_bound(R initial, std::span<const R> b) {
  for (const R& write : b) initial = initial + write;
  return initial;
}

/// ρ^t ‖S_0‖ + Σ ρ^{t−i} b_i, where ‖A_i‖ ≤ ρ.
/// Source: [SFDA] Prop. 6.3, eq. 75; [SFDA-notes] s3.3.
template <OrderedScalar R>
R contracting_bound(const R& rho, R initial, std::span<const R> b) {
  if (rho < R(0)) throw OutsideDomain("rho below 0: a norm is not negative");
  for (const R& write : b) initial = rho * initial + write;
  return initial;
}

/// b / (1 − ρ): what equal writes add up to.
/// Source: [SFDA] Prop. 6.3; [SFDA-notes] s3.3.
/// Domain: 0 ≤ ρ < 1.
template <OrderedScalar R>
R write_limit(const R& rho, const R& b) {
  if (rho < R(0) || !(rho < R(1))) throw OutsideDomain("rho outside [0, 1): the writes have no limit");
  return b / (R(1) - rho);
}

/// β / (2 − β) ‖v‖²: the most that a tied write with a unit key adds to ‖S‖_F².
/// Source: own, sharper than [SFDA] eq. 74.
/// Domain: 0 ≤ β ≤ 1.
template <OrderedScalar R>
R tied_write_growth(const R& beta, const R& squared_value) {
  if (beta < R(0) || R(1) < beta) throw OutsideDomain("beta outside [0, 1]: the growth is not bounded by this");
  return beta / (R(2) - beta) * squared_value;
}

/// 1 / (1 − η) ≥ ‖(I + L)^{-1} D_β‖ where ‖L‖ ≤ η < 1 and ‖D_β‖ ≤ 1.
/// Source: [SFDA] Prop. 6.4; [SFDA-notes] s3.3.
template <OrderedScalar R>
R inverse_bound(const R& eta) {
  if (!(eta < R(1))) throw OutsideDomain("eta >= 1: the Neumann series has no bound");
  return R(1) / (R(1) - eta);
}

}  // namespace assay::sfda
