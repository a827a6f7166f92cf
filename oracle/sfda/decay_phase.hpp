#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "arith/complex.hpp"
#include "oracle/matrix.hpp"
#include "oracle/scalar.hpp"
#include "oracle/sfda/control.hpp"

namespace assay::sfda {

/// λ = α e^{iθ}.
/// Source: [SFDA] eq. 13; [SFDA-notes] overview.
/// Angles are reals or, over a field, points of the circle. Error: cos, sin and one product each.
template <class Angle, Scalar R>
Cx<R> polar(const R& alpha, const Angle& theta) {
  using std::cos, std::sin;
  return {alpha * cos(theta), alpha * sin(theta)};
}

/// Λ = diag(α ⊙ e^{iθ}).
/// Source: [SFDA] eq. 13; [SFDA-notes] overview.
/// Domain: α, θ [d].
template <class Angle, Scalar R>
Diagonal<Cx<R>> decay_and_phase(std::span<const R> alpha, std::span<const Angle> theta) {
  require_length(theta.size(), alpha.size(), "theta");
  Diagonal<Cx<R>> control;
  for (std::size_t i = 0; i < alpha.size(); ++i) control.lambda.push_back(polar(alpha[i], theta[i]));
  return control;
}

}  // namespace assay::sfda
