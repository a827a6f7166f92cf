#pragma once

#include "problem/oracle.hpp"

namespace assay {

/// Whether two usual tolerances accept the outputs of a case, with the truth in the place of their reference. They
/// stand beside a verdict and decide nothing.
struct Tolerances {
  bool allclose;  ///< |got - want| <= 0.005 + 0.005 |want| for every element
  bool
      rms_ratio;  ///< over each output the root mean square of got - want <= 0.005 of want's, or no |got - want| > 1e-6
};

/// NaN is accepted nowhere, an infinity by allclose alone, where the truth is the same one.
Tolerances usual_tolerances(const Tensors& got, const References& want);

}  // namespace assay
