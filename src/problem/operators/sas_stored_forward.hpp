#pragma once

#include "problem/case.hpp"
#include "problem/draw.hpp"

namespace assay::operators {

/// o and L as an accurate forward pass stores them: in double with sums and powers far beyond float32, then to nearest.
/// Over a field, where any stored numbers have gradients: drawn, one L in eight 0.
void fill_stored_forward(Case& c, Draw& draw);

}  // namespace assay::operators
