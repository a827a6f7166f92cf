#pragma once

#include "problem/oracle.hpp"

namespace assay::sas {

/// o and L in balls of Arb with midpoints of so many bits, by inner products of whole rows: what `certified_attention`
/// is timed beside. The radii are those of the balls.
References attention_in_balls(const Case& c, std::int64_t bits);

}  // namespace assay::sas
