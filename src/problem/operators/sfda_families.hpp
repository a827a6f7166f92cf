#pragma once

#include <span>

#include "problem/families.hpp"

namespace assay::operators {

/// The families of the operators of the delta rule, the plainest first.
std::span<const Family> sfda_families(const Operator& op);

/// The tokens a chunk, C, where they do not stand yet: 16, 32, 64 or 128.
void draw_chunk(Case& c, Draw& draw);

}  // namespace assay::operators
